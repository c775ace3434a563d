import { expect } from 'chai';
import { createWriter } from '../../../src/commands/core/execute.ts';
import { createPrivacy } from '../../../src/commands/privacy/privacy.ts';
import { systemIds } from '../../../src/shared/system.ts';
import { fixedClock } from '../../support/ambient.ts';
import { createMemoryLog } from '../../support/interleaving.ts';

describe('A request for an erasure', () => {
  it('is one erasure in all of its runs, also where the contact has written since', async () => {
    const clock = fixedClock();
    const { store, events } = createMemoryLog();
    const writer = createWriter({ store, clock, ids: systemIds });
    const lookups = { account: async () => undefined };
    const findSubjects = async () => [{ accountId: 'acc_1', ref: `ref-${events.length}` }];
    const privacy = createPrivacy({ writer, lookups, findSubjects, ids: systemIds });
    const wanted = { contact: '919812345678', accountId: null, reason: null };
    const claim = { id: systemIds.uuid() };
    const first = await privacy.erase(wanted, { requestId: 'first', claim });
    expect(await privacy.erase(wanted, { requestId: 'second', claim })).to.equal(first);
    expect(events).to.have.length(1);
    expect(await privacy.erase(wanted, { requestId: 'third' })).not.to.equal(first);
    expect(events).to.have.length(2);
  });
});
