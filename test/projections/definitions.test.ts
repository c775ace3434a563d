import { expect } from 'chai';
import { projections } from '../../src/projections/all.ts';

// The collections of existing stores. Change a version together with its indexes here: without a new
// version, existing stores never get a new index.

const DEFINITIONS: Record<string, { version: number; indexes: string[]; filters: string }> = {
  organisations: { version: 1, indexes: ['-order'], filters: '' },
  accounts: {
    version: 6,
    indexes: ['organisationId -order', '-order', 'retainedSince?'],
    filters: '',
  },
  ledger: {
    version: 2,
    indexes: ['accountId chargeId -order', 'accountId type -order', 'accountId -order'],
    filters: 'createdAt',
  },
  reservations: { version: 2, indexes: ['reservedAt', 'accountId reservedAt'], filters: '' },
  refunds: { version: 2, indexes: [], filters: '' },
  chargeclaims: { version: 1, indexes: ['reservedAt', 'chargeId order'], filters: '' },
  messages: {
    version: 6,
    indexes: [
      'accountId clientReference? -order',
      'accountId conversationId -order',
      'accountId contactWaId -order',
      'accountId status? -order',
      'accountId event? -order',
      'accountId phoneNumberId -order',
      'accountId chargeId? -order',
      'accountId? -order',
    ],
    filters: 'direction messageType createdAt',
  },
  media: { version: 1, indexes: [], filters: '' },
  numbers: { version: 3, indexes: ['accountId order', 'wabaId order'], filters: '' },
  keys: { version: 1, indexes: ['accountId -order', 'prefix'], filters: '' },
  administrators: { version: 1, indexes: ['-order', 'prefix'], filters: '' },
  templates: { version: 4, indexes: ['wabaId name language', 'wabaId order'], filters: '' },
  plans: { version: 2, indexes: ['-order'], filters: '' },
  ratecards: { version: 1, indexes: ['-order'], filters: '' },
  bots: { version: 1, indexes: ['accountId -order'], filters: '' },
  botruns: {
    version: 4,
    indexes: ['botId -order', 'phase phaseAt', 'accountId phoneNumberId open order'],
    filters: '',
  },
  contacts: { version: 1, indexes: [], filters: '' },
  conversations: {
    version: 5,
    indexes: ['accountId? phoneNumberId -order', 'accountId? -order'],
    filters: 'lastInboundAt updatedAt searchText',
  },
  erasures: { version: 1, indexes: ['-order', 'state -order'], filters: '' },
  deadletters: {
    version: 3,
    indexes: [
      '-order',
      'state -order',
      'contactRef sealedMonth?',
      'otherRef sealedMonth?',
      'accountId sealedMonth?',
    ],
    filters: '',
  },
};

describe('the definitions of read models', () => {
  it('are one for each name', () => {
    const names = projections.map(({ name }) => name);
    expect(names.toSorted()).to.deep.equal(Object.keys(DEFINITIONS).sort());
  });

  for (const { name, version, indexes, filters = [] } of projections) {
    it(`have the indexes that they had at this version: ${name}`, () => {
      expect({
        version,
        indexes: indexes.map((fields) => fields.join(' ')),
        filters: filters.join(' '),
      }).to.deep.equal(DEFINITIONS[name]);
    });
  }
});
