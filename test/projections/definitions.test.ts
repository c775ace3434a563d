import { expect } from 'chai';
import { projections } from '../../src/projections/all.ts';

// The collections of existing stores. Change a version together with its indexes here: without a new
// version, existing stores never get a new index.

const DEFINITIONS = `
organisations 3: -order
accounts 12: organisationId -order | -order | retainedSince?; words organisationId
ledger 4: accountId chargeId -order | accountId type -order | accountId -order; filters createdAt;
  words accountId type
reservations 5: reservedAt? | accountId reservedAt? | accountId -order | -order; filters amount
  contactRef event clientReference state createdAt; words accountId event state
refunds 5: accountId? state? -order | state? -order; words accountId state
refusals 2: accountId -order | -order | contactRef? sealedMonth? | accountId sealedMonth?; filters
  code minute firstRequestId lastRequestId; words accountId code
chargeclaims 4: reservedAt | chargeId order
messages 17: accountId clientReference? -order | accountId contactRef -order | accountId status?
  -order | accountId event? -order | accountId phoneNumberId -order | accountId chargeId? -order |
  accountId? -order | -order | messageRef order? | jobId? status? -order | contactRef sealedMonth? |
  otherRef? sealedMonth? | accountId sealedMonth?; filters direction messageType createdAt; words
  accountId phoneNumberId status event direction messageType
jobs 3: accountId live? order | accountId -order | lane? | keptUntil?; words accountId
scheduled 2: lane due? | lane? | accountId due? | accountId contactRef -order | accountId state
  -order | accountId -order | contactRef sealedMonth? | accountId sealedMonth?; filters kind;
  words accountId state kind
media 3: contactRef sealedMonth? | accountId sealedMonth?; words accountId
answers 1: contactRef -order
numbers 6: accountId order | wabaId order | linked order; words accountId wabaId
keys 2: accountId -order | prefix; words accountId
administrators 2: -order | prefix
approvals 2: state -order | -order; words state
people 2: organisationId -order | contactRef sealedMonth? | accountId sealedMonth?; words
  accountId
sessions 3: holderId -startedAt | startedAt
templates 5: wabaId name language | wabaId order; words wabaId
plans 3: -order
ratecards 2: -order
bots 2: accountId -order; words accountId
botruns 8: botId -order | lane due? | lane? | accountId phoneNumberId open order | contactRef
  sealedMonth? | accountId sealedMonth?; words accountId phase phoneNumberId
contacts 3: contactRef? | contactRef sealedMonth? | accountId sealedMonth?; words accountId
notes 1: conversationId -order | contactRef sealedMonth? | accountId sealedMonth?; words accountId
quickreplies 1: accountId -order; words accountId
conversations 15: accountId phoneNumberId -order | accountId -order | contactRef sealedMonth? |
  textRef? sealedMonth? | accountId sealedMonth?; filters lastInboundAt updatedAt searchText
  assignedTo unreadCount labelText failed withBot; words accountId phoneNumberId assignedTo
deadletters 5: -order | state -order | state reason order | contactRef sealedMonth? | otherRef
  sealedMonth? | accountId sealedMonth?; words accountId state
actions 8: requestId -order | accountId -order | -order; words accountId
activity 3: accountId -hour; words accountId
webhooks 2: accountId -order | order; words accountId
webhookdeliveries 3: endpointId -order | endpointId due? | endpointId state -order; filters
  createdAt; words state
erasures 2: -order | state -order; words state
expirations 1:
`;

describe('the definitions of read models', () => {
  it('have the indexes, filters and words that they had at their version', () => {
    const lines = projections.map(({ name, version, indexes, filters = [], words = [] }) => {
      const parts = [
        indexes.map((fields) => fields.join(' ')).join(' | '),
        ...(filters.length > 0 ? [`filters ${filters.join(' ')}`] : []),
        ...(words.length > 0 ? [`words ${words.join(' ')}`] : []),
      ];
      return `${name} ${version}: ${parts.join('; ')}`.trimEnd();
    });
    const held = DEFINITIONS.trim().split(/\n(?! )/);
    expect(lines.toSorted()).to.deep.equal(held.map((line) => line.replace(/\s+/g, ' ')).sort());
  });
});
