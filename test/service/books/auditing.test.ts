import { expect } from 'chai';
import { createMetrics } from '../../../src/http/ops/metrics.ts';
import { createBadSnapshots } from '../../../src/service/books/auditing.ts';
import type { Logger } from '../../../src/shared/logger.ts';

describe('snapshots that cannot be trusted', () => {
  it('are logged and counted, without the names of streams that contain a number', async () => {
    const metrics = createMetrics({ ofProcess: false });
    const lines: unknown[] = [];
    const logger = { error: (...line: unknown[]) => lines.push(line) } as unknown as Logger;
    const tell = createBadSnapshots({ logger, metrics });
    tell({ stream: 'account-acc_1-x', revision: 999, fault: 'forged' });
    tell({ stream: 'conversation-1065.919812345678', revision: 7, fault: 'other-events' });
    const text = 'A snapshot cannot be trusted: it was dropped, and the state read from the log';
    expect(lines).to.deep.equal([
      [{ kind: 'account', accountId: 'acc_1-x', revision: 999, fault: 'forged' }, text],
      [{ kind: 'conversation', revision: 7, fault: 'other-events' }, text],
    ]);
    const shown = await metrics.text();
    expect(shown).to.include('waybill_bad_snapshots_total{kind="account",fault="forged"} 1');
    expect(shown).to.include(
      'waybill_bad_snapshots_total{kind="conversation",fault="other-events"} 1',
    );
    expect(shown).to.not.include('9198');
  });
});
