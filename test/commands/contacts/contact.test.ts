import { expect } from 'chai';
import { contactDecider, NewNumber } from '../../../src/commands/contacts/contact.ts';
import {
  ContactIdsJoined,
  type ContactJoin,
  ContactMet,
  idsOf,
  isUserId,
  kindOf,
  numberIn,
} from '../../../src/events/contact.ts';
import { spec } from '../../support/spec.ts';

const given = spec(contactDecider);
const ids = { accountId: 'acc_1', userRef: 'ref_IN.1' };
const [A, B] = ['919812345678', '447700900123'];
const met = (phoneNumberId: string) => ContactMet.of({ ...ids, phoneNumberId });
const meet = (phoneNumberId: string) => ({ type: 'Meet' as const, ...ids, phoneNumberId });
const pair = (contact: string, by: ContactJoin['by']) => ({
  ...ids,
  contactRef: `ref_${contact}`,
  contactKind: kindOf(contact),
  by,
  userId: 'IN.1',
  contact,
});
const joined = (contact: string, by: ContactJoin['by'], more: Partial<ContactJoin> = {}) =>
  ContactIdsJoined.of({ ...pair(contact, by), ...more });
type Homes = ContactJoin['conversations'];
const join = (contact: string, by: ContactJoin['by'], homes: Homes = []) => ({
  type: 'Join' as const,
  ...pair(contact, by),
  homes,
});

describe('a user id', () => {
  it('notes each number at which it has a conversation, once, up to 200', () => {
    given().when(meet('10')).thenHappened(met('10'));
    given(met('10')).when(meet('10')).thenNothing();
    given(met('10')).when(meet('11')).thenHappened(met('11'));
    const many = Array.from({ length: 200 }, (_, index) => met(`n${index}`));
    const givenFewer = given(...many.slice(1));
    const givenMany = given(...many);
    givenFewer.when(meet('10')).thenHappened(met('10'));
    givenMany.when(meet('10')).thenNothing();
  });

  it('notes none once it belongs to a contact', () => {
    given(joined(A, 'seen')).when(meet('10')).thenNothing();
  });

  it('belongs to the first number that is seen beside it, for good', () => {
    given().when(join(A, 'seen')).thenHappened(joined(A, 'seen'));
    given(joined(A, 'seen')).when(join(A, 'seen')).thenNothing();
    given(joined(A, 'seen')).when(join(B, 'seen')).thenNothing();
    given(joined(A, 'seen')).when(join('IN.2', 'changed')).thenNothing();
    given().when(join('IN.1', 'changed')).thenNothing();
  });

  it('belongs to the contact of an older one until a number is seen beside it', () => {
    const changed = joined('IN.0', 'changed');
    given(changed).when(join('IN.2', 'changed')).thenNothing();
    given(changed).when(join(A, 'seen')).thenHappened(joined(A, 'seen'));
    given(joined(A, 'changed')).when(join(A, 'seen')).thenHappened(joined(A, 'seen'));
    given(joined(A, 'changed'), joined(B, 'seen')).when(join(A, 'seen')).thenNothing();
  });

  it('brings its conversations once, each with its home', () => {
    const homes = [{ phoneNumberId: '10', home: 'contact' as const }];
    const both = [...homes, { phoneNumberId: '11', home: 'userId' as const }];
    const two = given(met('10'), met('11'));
    two.when(join(A, 'changed', homes)).thenThrows(NewNumber);
    two.when(join(A, 'changed', both)).thenHappened(joined(A, 'changed', { conversations: both }));
    const again = given(met('10'), joined(A, 'changed')).when(join(B, 'seen', homes));
    const [fact] = again.thenHappened(joined(B, 'seen'));
    expect(fact!.data).not.to.have.property('conversations');
    const [bare] = given().when(join(A, 'seen')).thenHappened(joined(A, 'seen'));
    expect(bare!.data).not.to.have.property('conversations');
  });

  it('is joined also where the log does not tell the ids any more', () => {
    const erased = { userId: null, contact: null };
    const gone = joined(A, 'seen', erased);
    const command = { ...join(A, 'seen'), ...erased };
    given().when(command).thenHappened(gone);
    given(gone).when(join(B, 'seen')).thenNothing();
  });
});

describe('the ids of a contact', () => {
  it('are a number or a user id', () => {
    const userIds = ['US.1', 'IN.aZ9', `GB.${'1'.repeat(128)}`];
    const others = ['US.', 'us.1', 'US1', 'USA.1', 'US.1-', `GB.${'1'.repeat(129)}`, A];
    expect([...userIds, ...others].filter(isUserId)).to.deep.equal(userIds);
    expect([A, 'IN.1', ''].map(numberIn)).to.deep.equal([A, null, null]);
    expect([A, 'IN.1'].map(kindOf)).to.deep.equal(['number', 'userId']);
    expect(idsOf(null, null)).to.deep.equal({ waId: null, userId: null });
    expect(idsOf(null, 'IN.1')).to.deep.equal({ waId: null, userId: 'IN.1' });
    expect(idsOf(A, null)).to.deep.equal({ waId: A, userId: null });
    expect(idsOf(A, 'IN.1')).to.deep.equal({ waId: A, userId: 'IN.1' });
    expect(idsOf('IN.0', 'IN.1')).to.deep.equal({ waId: null, userId: 'IN.1' });
    expect(idsOf('IN.0', null)).to.deep.equal({ waId: null, userId: 'IN.0' });
  });
});
