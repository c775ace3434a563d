import { expect } from 'chai';
import fc from 'fast-check';
import type { EventDefinition, Fields } from '../../src/events/define.ts';
import { MessageSent, StatusUpdated } from '../../src/events/message.ts';
import { sentRecord, statusRecord } from '../support/samples.ts';
import { customer } from '../support/subjects.ts';

const accountId = 'acc_0192f6a47c1e7b529d3e5a1f0c2b8e11';
const messageRef = 'Vb2Lr9sQ4nT6eH0jF8wXcA';

/** What is read of the stored form of data, sealed and as JSON. */
const readAgain = <D>(definition: EventDefinition<string, D>, data: D): D | undefined => {
  const stored = JSON.parse(JSON.stringify(definition.encode(data, [customer])));
  const { sealed, ...clear } = stored as { sealed?: string };
  expect(sealed === undefined || Object.keys(stored).at(-1) === 'sealed').to.equal(true);
  const read = definition.decode(definition.version, clear, `message-${accountId}.${messageRef}`);
  return sealed === undefined ? read : definition.open(read, sealed, [customer.key]);
};

const encoded = <D>(definition: EventDefinition<string, D>, data: D): Fields =>
  definition.encode(data, [customer]);

const recipient = fc.option(fc.record({ waId: fc.constantFrom('919812345678', null) }));
const chargeIds = fc.constantFrom(`chg_${accountId.slice(4)}_2be`, 'chg_0a_7', 'chg_1');

const own = { messageRef, accountId, phoneNumberId: '100' };
const sent = {
  ...sentRecord({ ...own, chargeId: `chg_${accountId.slice(4)}_2be` }),
  messageId: 'wamid.1',
};
const status = statusRecord({ ...own, status: 'read', statusAt: '2026-11-21T12:00:05.000Z' });

describe('the events of a message in the log', () => {
  it('are the same after they were packed and sealed', () => {
    const times = fc.constantFrom(
      '2026-11-21T12:00:05.000Z',
      '2026-11-21T12:00:05Z',
      '2026-11-21T12:00:05.250Z',
      '1969-12-31T23:59:58.000Z',
      '2026-11-21T12:00:05.0000Z',
    );
    const pricings = fc.constantFrom(undefined, 'unchanged' as const, { billable: true });
    fc.assert(
      fc.property(fc.option(fc.string()), chargeIds, recipient, (phoneNumberId, chargeId, to) => {
        const data = { ...sent, phoneNumberId, chargeId, recipient: to };
        expect(readAgain(MessageSent, data)).to.deep.equal(data);
      }),
    );
    fc.assert(
      fc.property(times, pricings, recipient, fc.string(), (statusAt, pricing, to, word) => {
        const told = { ...status, status: word, statusAt, recipient: to };
        const data = pricing === undefined ? told : { ...told, pricing };
        expect(readAgain(StatusUpdated, data)).to.deep.equal(data);
      }),
    );
  });

  it('had the id of the account before the name of the stream did', () => {
    const packed = Buffer.from(accountId.slice(4), 'hex').toString('base64url');
    const stream = 'message-acc_other.ref';
    for (const [account, read] of [
      [packed, accountId],
      ['acc_1', 'acc_1'],
      [`=${packed}`, packed],
    ]) {
      const older = { sent: [account, '100', customer.ref, 'chg_1_2be', 'UTILITY'] };
      expect(MessageSent.decode(7, older, stream)).to.include({ accountId: read });
      const told = { told: [account, '100', customer.ref, 'read', 1] };
      expect(StatusUpdated.decode(6, told, stream)).to.include({ accountId: read });
    }
  });

  it('hold the fields that all of them have without the names', () => {
    const { sealed: _, ...clear } = encoded(MessageSent, sent);
    expect(clear).to.deep.equal({ sent: ['100', customer.ref, '2be', 'UTILITY'] });
    const seconds = Date.parse(status.statusAt) / 1000;
    expect(encoded(StatusUpdated, { ...status, pricing: 'unchanged' })).to.deep.equal({
      told: ['100', customer.ref, 'read', seconds],
      pricing: 0,
    });
  });
});
