import { expect } from 'chai';
import { chargeIdOf, entryIdOf, locateCharge } from '../../src/events/charge-form.ts';

describe('ids of charges and ledger rows', () => {
  it('hold the place of their event', () => {
    expect(chargeIdOf('acc_0a', 35)).to.equal('chg_0a_z');
    expect(entryIdOf('acc_0a', 36)).to.equal('led_0a_10');
    expect(chargeIdOf('other', 0)).to.equal('chg_other_0');
    expect(locateCharge('chg_0a_z')).to.deep.equal({ accountId: 'acc_0a', revision: 35 });
  });

  it('are told from anything else', () => {
    for (const id of [
      'led_0a_z',
      'xchg_0a_z',
      'chg_0a_z ',
      'chg_0a_z-1',
      'chg_0A_z',
      'chg_0a',
      'chg__z',
      '',
      `chg_0a_${'z'.repeat(20)}`,
    ]) {
      expect(locateCharge(id), id).to.equal(undefined);
    }
  });
});
