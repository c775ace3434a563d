import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { request } from 'undici';
import { useWaybill } from '../../support/surface.ts';
import { untilTrue } from '../../support/until.ts';
import { ADMIN_TOKEN, type Json, openTenant, startWaybill } from '../../support/waybill.ts';

describe('A verification that is followed', () => {
  const on = useWaybill();
  const ask = (url: string, body: object = {}, signal: AbortSignal | null = null) =>
    request(`${url}/api/admin/v1/ledger/verify/follow`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
  const stepsOf = (text: string): Json[] =>
    [...text.matchAll(/^data: (.*)$/gm)].map(([, step]) => JSON.parse(step!));

  it('tells how many events were read of how many, then the result and how far it holds', async () => {
    const { accountId } = await openTenant(on.waybill, { number: false });
    await openTenant(on.waybill, { number: false });
    for (const body of [{}, { accountId }]) {
      const { statusCode, headers, body: answer } = await ask(on.waybill.url, body);
      expect(statusCode).to.equal(200);
      expect(headers['content-type']).to.contain('text/event-stream');
      const steps = stepsOf(await answer.text());
      const { events, ofEvents } = steps[0]!.progress;
      expect(events).to.be.greaterThan(0).and.to.equal(ofEvents);
      const { body: report } = await on.waybill.admin('POST', '/ledger/verify', body);
      expect(steps.at(-1)).to.deep.equal({ report, head: await on.waybill.store.head() });
    }
  });

  it('is refused for an unknown account', async () => {
    expect((await ask(on.waybill.url, { accountId: 'acc_0' })).statusCode).to.equal(404);
  });

  it('ends when its caller goes, which lets the next one begin', async () => {
    const gate = Promise.withResolvers<void>();
    let isArmed = false;
    let reads = 0;
    const waybill = await startWaybill({
      wrapStore: (store) => ({
        ...store,
        async readAll(position, limit) {
          if (!isArmed) return store.readAll(position, limit);
          reads += 1;
          await gate.promise;
          // A slow log of small pages: the work looks between two of them whether its caller is there.
          await setTimeout(20);
          return store.readAll(position, 1);
        },
      }),
    });
    try {
      await openTenant(waybill, { number: false });
      await openTenant(waybill, { number: false });
      isArmed = true;
      const caller = new AbortController();
      const gone = ask(waybill.url, {}, caller.signal).catch(() => 'gone');
      await untilTrue('the log to be read', async () => reads > 0);
      const busy = await ask(waybill.url);
      expect(busy.statusCode).to.equal(503);
      caller.abort();
      expect(await gone).to.equal('gone');
      gate.resolve();
      const verify = () => waybill.admin('POST', '/ledger/verify', {});
      await untilTrue('the next one to begin', async () => (await verify()).status === 200);
      const before = reads;
      await verify();
      const whole = reads - before;
      // The first one did not read to the end.
      expect(before).to.be.lessThan(2 * whole);
    } finally {
      gate.resolve();
      await waybill.stop();
    }
  });
});
