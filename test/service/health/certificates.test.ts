import { expect } from 'chai';
import { createMetrics } from '../../../src/http/ops/metrics.ts';
import { observeCertificates } from '../../../src/service/health/certificates.ts';
import { fixedClock } from '../../support/ambient.ts';

const DAY_MS = 86_400_000;

describe('the certificates of the servers that are called', () => {
  it('are a metric, and near their end a warning and a part that does not work', async () => {
    const clock = fixedClock();
    const metrics = createMetrics({ ofProcess: false });
    const warnings: unknown[] = [];
    const end = clock.now() + 15 * DAY_MS;
    let isAway = false;
    const certificates = observeCertificates(['https://issuer.example', 'esdb://one,two'], {
      clock,
      metrics,
      logger: { warn: (fields: unknown) => void warnings.push(fields) },
      async endOf({ host }) {
        if (isAway || host === 'two') throw new Error('away');
        return host === 'one' ? end : end + 90 * DAY_MS;
      },
    });
    const series = async () =>
      (await metrics.text()).match(/(?<=^waybill_certificate_expires_seconds)\{.*/gm);
    expect(await series()).to.equal(null);
    expect(certificates.health()).to.deep.equal({ ok: true });

    await certificates.look();
    const expected = [
      `{peer="issuer.example:443"} ${end / 1000 + 90 * 86_400}`,
      `{peer="one:2113"} ${end / 1000}`,
    ];
    expect(await series()).to.deep.equal(expected);
    expect([warnings, certificates.health()]).to.deep.equal([[], { ok: true }]);

    clock.advance(DAY_MS + 1);
    isAway = true;
    await certificates.look();
    expect(await series(), 'as they were known').to.deep.equal(expected);
    const endsAt = new Date(end).toISOString();
    expect(warnings).to.deep.equal([{ peer: 'one:2113', endsAt }]);
    const detail = `that of one:2113 ends at ${endsAt}`;
    expect(certificates.health()).to.deep.equal({ ok: false, detail });
  });
});
