import { expect } from 'chai';
import { namedPlacesIn } from '../../../src/provider/webhook/named-contacts.ts';
import { createPerson } from '../../support/privacy/person.ts';

describe('whom a message names', () => {
  const [own, other] = [createPerson(), createPerson()];
  const placesIn = (message: object) => [...namedPlacesIn(message)];
  const message = { id: own.messageId('inbound'), from: own.number, timestamp: '1795262400' };

  it('is its sender, whose id of the message is not searched', () => {
    const text = { body: `write to ${other.number}` };
    expect(placesIn({ message: { ...message, type: 'text', text } })).to.deep.equal([
      { path: ['message', 'from'], ids: [own.number] },
    ]);
  });

  it('is who wrote what it quotes, by number, user id, and the id of the quoted message', () => {
    const id = other.messageId('outbound');
    for (const from of [other.number, other.userId]) {
      expect(placesIn({ context: { from, id }, reaction: { message_id: id } })).to.deep.equal([
        { path: ['context', 'from'], ids: [from] },
        { path: ['context', 'id'], ids: [other.number] },
        { path: ['reaction', 'message_id'], ids: [other.number] },
      ]);
    }
  });

  it('is nobody where an id is opaque or damaged', () => {
    const ids = ['wamid.IN1', 'wamid.', 'wamid.GA==', 'wamid.GAw5MTk=', '919812345678', 7, null];
    expect(placesIn({ context: ids.map((id) => ({ id })) })).to.deep.equal([]);
  });

  it('is whose ids a notice and whose numbers a card holds, as a whole', () => {
    const system = { body: `from ${own.number} to ${other.number}`, wa_id: other.number };
    const card = {
      phones: [{ phone: `+${own.number}` }, { wa_id: other.number }],
      vcard: `TEL;waid=4915112345678:+49 151\nTEL:0049 (30) 1234-567`,
    };
    expect(placesIn({ system, contacts: [card, { name: 'A' }] })).to.deep.equal([
      { path: ['system'], ids: [other.number] },
      {
        path: ['contacts', 0],
        ids: [own.number, other.number, '4915112345678', '49151', '49301234567'],
      },
    ]);
  });
});
