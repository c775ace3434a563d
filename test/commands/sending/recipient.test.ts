import { expect } from 'chai';
import { mayBeRecipient, recipientDigits } from '../../../src/commands/sending/recipient.ts';

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
  ] as const) {
    it(`reads "${given}" as ${digits}`, () => expect(recipientDigits(given)).to.equal(digits));
  }

  it('may be known to the provider with a digit more or less behind its country code', () => {
    for (const [waId, to] of [
      [null, '919812345678'],
      ['919812345678', '919812345678'],
      ['551198765432', '5511998765432'],
      ['5215512345678', '525512345678'],
      ['5491123456789', '541123456789'],
    ] as const) {
      expect(mayBeRecipient(waId, to), `${waId} for ${to}`).to.equal(true);
    }
    for (const [waId, to] of [
      ['447700900123', '919812345678'],
      ['919812345679', '919812345678'],
      ['91981234567', '919812345678'],
      ['445512345678', '5255123456780'],
      ['12', '1'],
    ] as const) {
      expect(mayBeRecipient(waId, to), `${waId} for ${to}`).to.equal(false);
    }
  });
});
