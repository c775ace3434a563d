import { expect } from 'chai';
import { explain } from '../../src/audit/explain.ts';
import { auditedLog, createAccount, logOf } from '../support/books.ts';
import { customer } from '../support/subjects.ts';

const accountId = 'acc_1';

describe('why a message was refunded', () => {
  it('is told however much has come since its charge', async () => {
    const account = createAccount(accountId);
    account.fill(10);
    const charge = account.reserve();
    for (let more = 0; more < 6_000; more += 1) account.fill(1);
    account.refund(charge, 'delivery_failed');
    const events = logOf({ [`account-${accountId}`]: account.facts });
    const message = {
      accountId,
      messageRef: 'message-1',
      phoneNumberId: '1055500001111',
      contactRef: customer.ref,
      chargeId: charge.chargeId,
    };
    const log = auditedLog(events);
    const rules = await explain(log, message, events.at(-1)!.position);
    expect(rules.at(-1)).to.deep.include({ rule: 'refund', value: 'delivery_failed' });
    expect(rules.at(-1)!.event).to.include({ type: 'ChargeRefunded' });
    const unrefunded = await explain(log, message, undefined);
    expect(unrefunded.map(({ rule }) => rule)).to.not.include('refund');
  });
});
