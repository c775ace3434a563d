import { expect } from 'chai';
import { projections } from '../../src/projections/all.ts';

// The collections of existing stores. Change a version together with its indexes here: without a new
// version, existing stores never get a new index.

/** Find the documents of which something is to be erased. */
const SEALED = ['contactRef sealedMonth?', 'accountId sealedMonth?'];

const DEFINITIONS: Record<
  string,
  { version: number; indexes: string[]; filters: string; words: string }
> = {
  organisations: { version: 3, indexes: ['-order'], filters: '', words: '' },
  accounts: {
    version: 12,
    indexes: ['organisationId -order', '-order', 'retainedSince?'],
    filters: '',
    words: 'organisationId',
  },
  ledger: {
    version: 4,
    indexes: ['accountId chargeId -order', 'accountId type -order', 'accountId -order'],
    filters: 'createdAt',
    words: 'accountId type',
  },
  reservations: {
    version: 4,
    indexes: ['reservedAt?', 'accountId reservedAt?', 'accountId -order'],
    filters: 'amount contactRef event clientReference state createdAt',
    words: 'accountId event state',
  },
  refunds: {
    version: 4,
    indexes: ['accountId? state? -order'],
    filters: '',
    words: 'accountId state',
  },
  refusals: {
    version: 1,
    indexes: ['accountId -order', 'contactRef? sealedMonth?', 'accountId sealedMonth?'],
    filters: 'code minute firstRequestId lastRequestId',
    words: 'accountId code',
  },
  chargeclaims: { version: 4, indexes: ['reservedAt', 'chargeId order'], filters: '', words: '' },
  messages: {
    version: 16,
    indexes: [
      'accountId clientReference? -order',
      'accountId contactRef -order',
      'accountId status? -order',
      'accountId event? -order',
      'accountId phoneNumberId -order',
      'accountId chargeId? -order',
      'accountId? -order',
      'messageRef order?',
      'jobId? status? -order',
      'contactRef sealedMonth?',
      'otherRef? sealedMonth?',
      'accountId sealedMonth?',
    ],
    filters: 'direction messageType createdAt',
    words: 'accountId phoneNumberId status event direction messageType',
  },
  jobs: {
    version: 3,
    indexes: ['accountId live? order', 'accountId -order', 'lane?', 'keptUntil?'],
    filters: '',
    words: 'accountId',
  },
  scheduled: {
    version: 2,
    indexes: [
      'lane due?',
      'lane?',
      'accountId due?',
      'accountId contactRef -order',
      'accountId state -order',
      'accountId -order',
      ...SEALED,
    ],
    filters: 'kind',
    words: 'accountId state kind',
  },
  media: { version: 3, indexes: SEALED, filters: '', words: 'accountId' },
  answers: { version: 1, indexes: ['contactRef -order'], filters: '', words: '' },
  numbers: {
    version: 6,
    indexes: ['accountId order', 'wabaId order', 'linked order'],
    filters: '',
    words: 'accountId wabaId',
  },
  keys: { version: 2, indexes: ['accountId -order', 'prefix'], filters: '', words: 'accountId' },
  administrators: { version: 2, indexes: ['-order', 'prefix'], filters: '', words: '' },
  approvals: { version: 2, indexes: ['state -order', '-order'], filters: '', words: 'state' },
  people: {
    version: 2,
    indexes: ['organisationId -order', ...SEALED],
    filters: '',
    words: 'accountId',
  },
  sessions: {
    version: 3,
    indexes: ['holderId -startedAt', 'startedAt'],
    filters: '',
    words: '',
  },
  templates: {
    version: 5,
    indexes: ['wabaId name language', 'wabaId order'],
    filters: '',
    words: 'wabaId',
  },
  plans: { version: 3, indexes: ['-order'], filters: '', words: '' },
  ratecards: { version: 2, indexes: ['-order'], filters: '', words: '' },
  bots: { version: 2, indexes: ['accountId -order'], filters: '', words: 'accountId' },
  botruns: {
    version: 8,
    indexes: [
      'botId -order',
      'lane due?',
      'lane?',
      'accountId phoneNumberId open order',
      ...SEALED,
    ],
    filters: '',
    words: 'accountId phase phoneNumberId',
  },
  contacts: {
    version: 3,
    indexes: ['contactRef?', ...SEALED],
    filters: '',
    words: 'accountId',
  },
  notes: {
    version: 1,
    indexes: ['conversationId -order', ...SEALED],
    filters: '',
    words: 'accountId',
  },
  quickreplies: { version: 1, indexes: ['accountId -order'], filters: '', words: 'accountId' },
  conversations: {
    version: 14,
    indexes: [
      'accountId phoneNumberId -order',
      'accountId -order',
      'contactRef sealedMonth?',
      'textRef? sealedMonth?',
      'accountId sealedMonth?',
    ],
    filters: 'lastInboundAt updatedAt searchText assignedTo unreadCount labelText failed withBot',
    words: 'accountId phoneNumberId assignedTo',
  },
  deadletters: {
    version: 5,
    indexes: [
      '-order',
      'state -order',
      'state reason order',
      'contactRef sealedMonth?',
      'otherRef sealedMonth?',
      'accountId sealedMonth?',
    ],
    filters: '',
    words: 'accountId state',
  },
  actions: {
    version: 7,
    indexes: ['requestId -order', 'accountId -order', '-order'],
    filters: '',
    words: 'accountId',
  },
  activity: { version: 3, indexes: ['accountId -hour'], filters: '', words: 'accountId' },
  webhooks: {
    version: 2,
    indexes: ['accountId -order', 'order'],
    filters: '',
    words: 'accountId',
  },
  webhookdeliveries: {
    version: 3,
    indexes: ['endpointId -order', 'endpointId due?', 'endpointId state -order'],
    filters: 'createdAt',
    words: 'state',
  },
  erasures: { version: 2, indexes: ['-order', 'state -order'], filters: '', words: 'state' },
  expirations: { version: 1, indexes: [], filters: '', words: '' },
};

describe('the definitions of read models', () => {
  it('are one for each name', () => {
    const names = projections.map(({ name }) => name);
    expect(names.toSorted()).to.deep.equal(Object.keys(DEFINITIONS).sort());
  });

  for (const { name, version, indexes, filters = [], words = [] } of projections) {
    it(`have the indexes that they had at this version: ${name}`, () => {
      expect({
        version,
        indexes: indexes.map((fields) => fields.join(' ')),
        filters: filters.join(' '),
        words: words.join(' '),
      }).to.deep.equal(DEFINITIONS[name]);
    });
  }
});
