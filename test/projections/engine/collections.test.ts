import { expect } from 'chai';
import { parseCollection, planOf } from '../../../src/projections/engine/collections.ts';

const plan = (version: number, live: string | null, collections: string[]) =>
  planOf({ name: 'ledger', version }, live ? { ledger: live } : {}, collections);

describe('the collections of a projection', () => {
  it('are named by version and generation', () => {
    const parsed = { projection: 'ledger', version: 2, generation: 13 };
    expect(parseCollection('ledger_v2_13')).to.deep.equal(parsed);
    expect(parseCollection('something')).to.equal(undefined);
  });

  const first = { serving: 'ledger_v1_1' };
  const cases: [string, ReturnType<typeof plan>, Partial<ReturnType<typeof plan>>][] = [
    [
      'nothing yet: a first generation can be begun',
      plan(1, null, []),
      { serving: undefined, current: false, next: undefined, fresh: 'ledger_v1_1', obsolete: [] },
    ],
    [
      'a first one that never came to serve is gone on with',
      plan(1, null, ['ledger_v1_1']),
      { serving: undefined, next: 'ledger_v1_1' },
    ],
    [
      'the serving one is of this version',
      plan(1, 'ledger_v1_1', ['ledger_v1_1', 'ledgers_v1_9', 'accounts_v1_4']),
      { ...first, current: true, next: undefined, fresh: 'ledger_v1_2', obsolete: [] },
    ],
    [
      'an older version serves',
      plan(2, 'ledger_v1_1', ['ledger_v1_1']),
      { ...first, current: false, next: undefined, fresh: 'ledger_v2_2' },
    ],
    [
      'an unfinished build of this version is gone on with',
      plan(2, 'ledger_v1_1', ['ledger_v1_1', 'ledger_v2_2']),
      { current: false, next: 'ledger_v2_2', fresh: 'ledger_v2_3', obsolete: [] },
    ],
    [
      'an unfinished rebuild is gone on with',
      plan(1, 'ledger_v1_3', ['ledger_v1_3', 'ledger_v1_4']),
      { current: true, next: 'ledger_v1_4', obsolete: [] },
    ],
    [
      'what served before is obsolete',
      plan(1, 'ledger_v1_4', ['ledger_v1_3', 'ledger_v1_4']),
      { current: true, next: undefined, obsolete: ['ledger_v1_3'] },
    ],
    [
      'an unfinished build of another version is obsolete',
      plan(1, 'ledger_v1_3', ['ledger_v1_3', 'ledger_v2_4']),
      { current: true, next: undefined, fresh: 'ledger_v1_5', obsolete: ['ledger_v2_4'] },
    ],
    [
      'generations are counted as numbers',
      plan(1, 'ledger_v1_10', ['ledger_v1_9', 'ledger_v1_10']),
      { next: undefined, fresh: 'ledger_v1_11', obsolete: ['ledger_v1_9'] },
    ],
  ];
  for (const [what, found, expected] of cases) {
    it(what, () => expect(found).to.deep.include(expected));
  }
});
