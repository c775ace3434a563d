import { personDecider } from '../../../src/commands/people/person.ts';
import {
  InvitationIssued,
  PasskeyAdded,
  PasswordSet,
  PersonErased,
  PersonInvited,
  PersonJoined,
  PersonMapped,
  PersonSuspended,
} from '../../../src/events/person.ts';
import { spec } from '../../support/spec.ts';

const personId = 'per_1';
const contactRef = 'ref-1';
const expiresAt = '2026-11-24T12:00:00.000Z';
const draft = {
  personId,
  contactRef,
  organisationId: 'org_1',
  name: 'Mia',
  email: 'mia@shop.example',
  role: 'manager',
  accounts: null,
  invitationId: 'first',
  expiresAt,
} as const;
const invited = PersonInvited.of({ ...draft });
const password = { personId, contactRef, passwordHash: 'scrypt$…' };
const set = { type: 'SetPassword', ...password, invitationId: 'first' } as const;
const root = { role: null, accounts: null };
const given = spec(personDecider);
const givenInvited = given(invited);
const invite = { type: 'Invite', ...draft } as const;
const suspended = PersonSuspended.of({ personId });
const givenSuspended = given(invited, suspended);

describe('A person', () => {
  it('is invited once: a second one with the e-mail is refused', () => {
    given().when(invite).thenHappened(invited);
    givenInvited.when(invite).thenRefused('resource.conflict');
  });

  it('sets a password with the newest invitation, once', () => {
    givenInvited.when(set).thenHappened('PasswordSet', password);
    const used = PasswordSet.of({ ...password, invitationId: 'first' });
    given(invited, used).when(set).thenRefused('session.link');
    const later = InvitationIssued.of({ personId, invitationId: 'second', expiresAt });
    given(invited, later).when(set).thenRefused('session.link');
    const second = { invitationId: 'second' };
    const givenBoth = given(invited, used, later);
    givenBoth.when({ ...set, ...second }).thenHappened('PasswordSet', second);
    givenSuspended.when(set).thenRefused('session.link');
  });

  it('is changed by nobody with a lower role, and into no role above his', () => {
    const agent = { role: 'agent', accounts: null } as const;
    const manager = { role: 'manager', accounts: null } as const;
    const change = { type: 'Change', personId } as const;
    givenInvited.when({ ...change, giver: agent, name: 'Max' }).thenRefused('person.role');
    givenInvited.when({ ...change, giver: manager, role: 'owner' }).thenRefused('person.role');
    givenInvited.when({ type: 'Suspend', personId, giver: agent }).thenRefused('person.role');
    const lower = { role: 'agent', accounts: ['acc_1'] } as const;
    const lowered = givenInvited.when({ ...change, giver: manager, ...lower });
    lowered.thenHappened('PersonChanged', { name: 'Mia', ...lower });
    givenInvited.when({ ...change, giver: root, role: 'manager' }).thenNothing();
  });

  it('is changed by nobody limited to other accounts, nor given accounts that the giver has not', () => {
    const giver = { role: 'manager', accounts: ['acc_1', 'acc_2'] } as const;
    for (const type of ['Suspend', 'Reinstate', 'Erase'] as const) {
      givenInvited.when({ type, personId, giver }).thenRefused('person.role');
    }
    const issue = { type: 'Issue', personId, giver, invitationId: 'second', expiresAt } as const;
    givenInvited.when(issue).thenRefused('person.role');
    const givenLimited = given(PersonInvited.of({ ...draft, accounts: ['acc_1'] }));
    const change = { type: 'Change', personId, giver } as const;
    for (const accounts of [null, ['acc_1', 'acc_3']]) {
      givenLimited.when({ ...change, accounts }).thenRefused('person.role');
    }
    const own = { accounts: ['acc_2'] };
    givenLimited.when({ ...change, ...own }).thenHappened('PersonChanged', own);
    givenLimited.when(issue).thenHappened('InvitationIssued', { invitationId: 'second' });
  });

  it('joins with a verified e-mail, which uses the invitation up', () => {
    const vouched = { personId, contactRef, name: 'Mia M.', email: 'mia@shop.example' };
    const admit = { type: 'Admit', ...vouched, role: null } as const;
    given().when(admit).thenRefused('session.refused');
    const joined = PersonJoined.of({ personId });
    givenInvited.when(admit).thenHappened(joined);
    const givenJoined = given(invited, joined);
    givenJoined.when(admit).thenNothing();
    givenJoined.when({ ...admit, role: 'admin' }).thenNothing();
    givenSuspended.when(admit).thenRefused('session.refused');
    givenJoined.when(set).thenRefused('session.link');
  });

  it('is an operator by a claim for as long as it names a role', () => {
    const vouched = { personId, contactRef, name: 'Ada', email: 'ada@shop.example' };
    const admit = { type: 'Admit', ...vouched, role: 'auditor' } as const;
    const mapped = PersonMapped.of({ ...vouched, role: 'auditor' });
    const givenMapped = given(mapped);
    given().when(admit).thenHappened(mapped);
    givenMapped.when(admit).thenNothing();
    const admin = { ...admit, role: 'admin' } as const;
    givenMapped.when(admin).thenHappened('PersonChanged', { role: 'admin', accounts: null });
    givenMapped.when({ ...admit, role: null }).thenRefused('session.refused');
  });

  it('has passkeys, each once', () => {
    const key = { publicKey: 'pk', counter: 0, transports: [], name: 'Laptop' };
    const passkey = { ...key, credentialId: 'c1' };
    const about = { personId, contactRef, passkeyId: 'pky_1', passkey, invitationId: null };
    const add = { type: 'AddPasskey', ...about } as const;
    const added = PasskeyAdded.of(about);
    const givenAdded = given(invited, added);
    givenInvited.when(add).thenHappened(added);
    givenAdded.when(add).thenRefused('resource.conflict');
    givenSuspended.when(add).thenRefused('session.link');
    const many = Array.from({ length: 20 }, (_, at) => {
      const other = { ...key, credentialId: `other ${at}` };
      return PasskeyAdded.of({ ...about, passkeyId: `pky_${at}`, passkey: other });
    });
    const givenMany = given(invited, ...many);
    givenMany.when(add).thenRefused('resource.conflict');
    const remove = { type: 'RemovePasskey', personId, passkeyId: 'pky_1' } as const;
    givenAdded.when(remove).thenHappened('PasskeyRemoved', {});
    givenInvited.when(remove).thenRefused('resource.unknown');
    const accepting = { ...add, invitationId: 'first' };
    const accepted = PasskeyAdded.of({ ...about, invitationId: 'first' });
    givenInvited.when(accepting).thenHappened(accepted);
    const second = { ...accepting, passkey: { ...key, credentialId: 'c2' } };
    given(invited, accepted).when(second).thenRefused('session.link');
  });

  it('is erased for good: another with the e-mail is another person', () => {
    const erase = { type: 'Erase', personId, giver: root } as const;
    const erased = PersonErased.of({ personId });
    givenInvited.when(erase).thenHappened(erased);
    const givenErased = given(invited, erased);
    givenErased.when(erase).thenNothing();
    given().when(erase).thenRefused('resource.unknown');
    const giver = { role: 'support', accounts: null } as const;
    givenInvited.when({ ...erase, giver }).thenRefused('person.role');
    for (const type of ['Suspend', 'Reinstate'] as const) {
      givenErased.when({ type, personId, giver: root }).thenRefused('resource.unknown');
    }
    givenErased.when(invite).thenRefused('resource.conflict');
  });

  it('is suspended and reinstated without a second event', () => {
    const suspend = { type: 'Suspend', personId, giver: root } as const;
    givenInvited.when(suspend).thenHappened(suspended);
    givenSuspended.when(suspend).thenNothing();
    givenInvited.when({ ...suspend, type: 'Reinstate' }).thenNothing();
    given().when(suspend).thenRefused('resource.unknown');
  });
});
