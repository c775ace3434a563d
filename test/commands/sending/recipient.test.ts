import { expect } from 'chai';
import { recipientDigits } from '../../../src/commands/sending/recipient.ts';

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
});
