import { expect } from 'chai';
import { newMessageId } from '../../../src/provider/simulator/messages.ts';
import { fixedClock } from '../../support/ambient.ts';

const CONTACT = '919812345678';

describe('ids of simulated messages', () => {
  let ids = 0;
  const clock = fixedClock();
  const nextId = () => {
    ids += 1;
    return ids;
  };
  const make = (direction: 'inbound' | 'outbound', contact = CONTACT) =>
    newMessageId({ clock, nextId }, { contact, phoneNumberId: '1', direction });
  const bytesOf = (id: string) => Buffer.from(id.replace('wamid.', ''), 'base64').toString();

  it('have the form of the provider: base64 of bytes that hold the number of the customer', () => {
    expect(make('outbound')).to.match(/^wamid\.HBgMOTE5ODEyMzQ1Njc4FQIAERgS[A-Za-z0-9]{24}AA==$/);
    expect(make('inbound')).to.match(/^wamid\.HBgMOTE5ODEyMzQ1Njc4FQIAEhgU[A-Za-z0-9]{27}A$/);
    for (const contact of [CONTACT, '15550199001', 'US.13491208655302741918']) {
      expect(bytesOf(make('outbound', contact))).to.include(contact);
    }
  });

  it('need no encoding in the path of a URL', () => {
    const all = Array.from({ length: 50 }, (_, index) => make('inbound', `1555019${index}`));
    expect(all.filter((id) => encodeURI(id) !== id || id.includes('/'))).to.deep.equal([]);
    expect(new Set(all).size).to.equal(all.length);
  });
});
