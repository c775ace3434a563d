import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { createApprovals } from '../../../src/commands/tenancy/approvals.ts';
import { systemIds } from '../../../src/shared/system.ts';
import { fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { codeOf } from '../../support/spec.ts';
import { memorySubjects as subjects } from '../../support/subjects.ts';

const wanted = {
  operation: 'grant',
  organisationId: 'org_1',
  accountId: 'acc_1',
  route: 'POST /admin/v1/accounts/:id/credits/grant',
  params: { id: 'acc_1' },
  body: { amount: 5 },
  requestedBy: { id: 'root' },
} as const;

describe('An approval', () => {
  it('is given by another person within a day', async () => {
    const clock = fixedClock();
    const { store } = createMemoryLog();
    const writer = createWriter({ store, clock, ids: systemIds });
    const approvals = createApprovals({ writer, subjects, clock, ids: systemIds });
    const approve = (approvalId: string) =>
      approvals.approve(approvalId, { requestId: 'r', by: { id: 'mia' } as never });
    const [first, second] = [
      await approvals.request(wanted, { requestId: 'first' }),
      await approvals.request(wanted, { requestId: 'second' }),
    ];
    clock.advance(86_400_000 - 1);
    expect((await approve(first)).operation).to.equal('grant');
    clock.advance(1);
    expect(await codeOf(approve(second))).to.equal('approval.settled');
  });

  it('is one for all runs of a request with an idempotency key', async () => {
    const clock = fixedClock();
    const { store, events } = createMemoryLog();
    const writer = createWriter({ store, clock, ids: systemIds });
    const approvals = createApprovals({ writer, subjects, clock, ids: systemIds });
    const claim = { id: systemIds.uuid() };
    const first = await approvals.request(wanted, { requestId: 'first', claim });
    clock.advance(60_000);
    expect(await approvals.request(wanted, { requestId: 'second', claim })).to.equal(first);
    expect(events).to.have.length(1);
    expect(await approvals.request(wanted, { requestId: 'third' })).not.to.equal(first);
  });
});
