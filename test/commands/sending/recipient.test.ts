import { expect } from 'chai';
import type { ContactName } from '../../../src/commands/contacts/contacts.ts';
import { mayBeRecipient } from '../../../src/commands/sending/recipient.ts';
import { contactIn, kindOf, parseContact } from '../../../src/events/contact.ts';

describe('the recipient of a send', () => {
  for (const [given, digits] of [
    ['+919812345678', '919812345678'],
    [' +91 (98123) 456-78 ', '919812345678'],
    ['00919812345678', '919812345678'],
    ['00 44 7700 900123', '447700900123'],
    ['(00) 44-7700-900123', '447700900123'],
    ['09812345678', '09812345678'],
    ['0009812345678', '09812345678'],
    ['+00919812345678', '00919812345678'],
    ['9812345678', '9812345678'],
    ['91009812', '91009812'],
    ['US.13491208655302741918', 'US.13491208655302741918'],
    [`IN.${'aZ9'.repeat(42)}ab`, `IN.${'aZ9'.repeat(42)}ab`],
    [`IN.${'9'.repeat(129)}`, '9'.repeat(129)],
    ['us.1349', '1349'],
    ['USA.1349', '1349'],
    ['US.ENT.1349', '1349'],
    ['US.', ''],
    [' US.1349', 'US.1349'],
    ['\u200bUS.1349\u200b\n', 'US.1349'],
    ['US.13 49', '1349'],
  ] as const) {
    it(`reads "${given}" as ${digits}`, () => expect(parseContact(given)).to.equal(digits));
  }

  it('is a contact only where the whole text is one', () => {
    const texts = ['0091 (98123) 456-78', 'US.13491208655302741918', 'order 7', 'us.123', '+', ''];
    const found = ['919812345678', 'US.13491208655302741918'];
    expect(texts.flatMap((text) => contactIn(text) ?? [])).to.deep.equal(found);
  });

  /** Contacts of which these user ids are known. */
  const known: Readonly<Record<string, string>> = { 'IN.1': '919812345678', 'IN.2': 'IN.1' };
  const contacts = {
    find: async (_: string, id: string): Promise<ContactName> => {
      const next = known[id];
      return next === undefined ? { ref: id, kind: kindOf(id), id } : contacts.find(_, next);
    },
  };
  const mayBe = (recipientWaId: string | null, to: string, recipientUserId?: string) => {
    const send = { accountId: 'acc_1', to };
    return mayBeRecipient(contacts, { recipientWaId, recipientUserId }, send, { requestId: 'r' });
  };

  it('may be known to the provider with a digit more or less behind its country code', async () => {
    for (const [waId, to, may] of [
      [null, '919812345678', true],
      ['919812345678', '919812345678', true],
      ['551198765432', '5511998765432', true],
      ['5215512345678', '525512345678', true],
      ['5491123456789', '541123456789', true],
      ['447700900123', '919812345678', false],
      ['919812345679', '919812345678', false],
      ['91981234567', '919812345678', false],
      ['445512345678', '5255123456780', false],
      ['12', '1', false],
    ] as const) {
      expect(await mayBe(waId, to), `${waId} for ${to}`).to.equal(may);
    }
  });

  it('may be known by either id, unless the other id is known to be another contact’s', async () => {
    for (const [waId, to, userId, may] of [
      [null, '919812345678', 'IN.1', true],
      [null, '919812345678', 'IN.2', true],
      ['919812345678', 'IN.2', undefined, true],
      ['919812345678', 'IN.1', 'IN.9', true],
      [null, 'IN.9', 'IN.9', true],
      [null, 'IN.2', 'IN.1', true],
      // Nothing is known of the one or of the other.
      [null, '919812345678', 'IN.9', true],
      ['919812345678', 'IN.9', undefined, true],
      [null, 'IN.9', undefined, true],
      [null, '447700900123', 'IN.1', false],
      ['447700900123', 'IN.2', 'IN.2', false],
      [null, 'IN.9', 'IN.1', false],
      [null, 'IN.9', 'IN.8', false],
      ['919812345678', 'IN.9', 'IN.8', false],
    ] as const) {
      expect(await mayBe(waId, to, userId), `${waId} ${userId} for ${to}`).to.equal(may);
    }
  });
});
