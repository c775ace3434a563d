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
const root = { role: null, accounts: null };
const given = spec(personDecider);
const givenInvited = given(invited);

describe('A person', () => {
  it('is invited once: a second one with the e-mail is refused', () => {
    given()
      .when({ type: 'Invite', ...draft })
      .thenHappened(invited);
    givenInvited.when({ type: 'Invite', ...draft }).thenRefused('resource.conflict');
  });

  it('sets a password with the newest invitation, once', () => {
    const set = { type: 'SetPassword', ...password, invitationId: 'first' } as const;
    givenInvited.when(set).thenHappened('PasswordSet', password);
    const used = PasswordSet.of({ ...password, invitationId: 'first' });
    given(invited, used).when(set).thenRefused('session.link');
    const later = InvitationIssued.of({ personId, invitationId: 'second', expiresAt });
    given(invited, later).when(set).thenRefused('session.link');
    given(invited, used, later)
      .when({ ...set, invitationId: 'second' })
      .thenHappened('PasswordSet', { invitationId: 'second' });
    given(invited, PersonSuspended.of({ personId })).when(set).thenRefused('session.link');
  });

  it('is changed by nobody with a lower role, and into no role above his', () => {
    const agent = { role: 'agent', accounts: null } as const;
    const manager = { role: 'manager', accounts: null } as const;
    const change = { type: 'Change', personId } as const;
    givenInvited.when({ ...change, giver: agent, name: 'Max' }).thenRefused('person.role');
    givenInvited.when({ ...change, giver: manager, role: 'owner' }).thenRefused('person.role');
    givenInvited.when({ type: 'Suspend', personId, giver: agent }).thenRefused('person.role');
    givenInvited
      .when({ ...change, giver: manager, role: 'agent', accounts: ['acc_1'] })
      .thenHappened('PersonChanged', { name: 'Mia', role: 'agent', accounts: ['acc_1'] });
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
    givenLimited
      .when({ ...change, accounts: ['acc_2'] })
      .thenHappened('PersonChanged', { accounts: ['acc_2'] });
    givenLimited.when(issue).thenHappened('InvitationIssued', { invitationId: 'second' });
  });

  it('joins with a verified e-mail, which uses the invitation up', () => {
    const vouched = { personId, contactRef, name: 'Mia M.', email: 'mia@shop.example' };
    const admit = { type: 'Admit', ...vouched, role: null } as const;
    given().when(admit).thenRefused('session.refused');
    const joined = PersonJoined.of({ personId });
    givenInvited.when(admit).thenHappened(joined);
    given(invited, joined).when(admit).thenNothing();
    given(invited, joined)
      .when({ ...admit, role: 'admin' })
      .thenNothing();
    const suspended = PersonSuspended.of({ personId });
    given(invited, suspended).when(admit).thenRefused('session.refused');
    const set = { type: 'SetPassword', ...password, invitationId: 'first' } as const;
    given(invited, joined).when(set).thenRefused('session.link');
  });

  it('is an operator by a claim for as long as it names a role', () => {
    const vouched = { personId, contactRef, name: 'Ada', email: 'ada@shop.example' };
    const admit = { type: 'Admit', ...vouched, role: 'auditor' } as const;
    const mapped = PersonMapped.of({ ...vouched, role: 'auditor' });
    const givenMapped = given(mapped);
    given().when(admit).thenHappened(mapped);
    givenMapped.when(admit).thenNothing();
    givenMapped
      .when({ ...admit, role: 'admin' })
      .thenHappened('PersonChanged', { role: 'admin', accounts: null });
    givenMapped.when({ ...admit, role: null }).thenRefused('session.refused');
  });

  it('has passkeys, each once', () => {
    const key = { publicKey: 'pk', counter: 0, transports: [], name: 'Laptop' };
    const passkey = { ...key, credentialId: 'c1' };
    const about = { personId, contactRef, passkeyId: 'pky_1' };
    const add = { type: 'AddPasskey', ...about, passkey, invitationId: null } as const;
    const added = PasskeyAdded.of({ ...about, passkey, invitationId: null });
    givenInvited.when(add).thenHappened(added);
    given(invited, added).when(add).thenRefused('resource.conflict');
    given(invited, PersonSuspended.of({ personId })).when(add).thenRefused('session.link');
    const many = Array.from({ length: 20 }, (_, at) =>
      PasskeyAdded.of({
        ...about,
        passkeyId: `pky_${at}`,
        passkey: { ...key, credentialId: `other ${at}` },
        invitationId: null,
      }),
    );
    given(invited, ...many)
      .when(add)
      .thenRefused('resource.conflict');
    const remove = { type: 'RemovePasskey', personId, passkeyId: 'pky_1' } as const;
    given(invited, added).when(remove).thenHappened('PasskeyRemoved', {});
    givenInvited.when(remove).thenRefused('resource.unknown');
    const accepting = { ...add, invitationId: 'first' };
    const accepted = PasskeyAdded.of({ ...about, passkey, invitationId: 'first' });
    givenInvited.when(accepting).thenHappened(accepted);
    given(invited, accepted)
      .when({ ...accepting, passkey: { ...key, credentialId: 'c2' } })
      .thenRefused('session.link');
  });

  it('is erased for good: another with the e-mail is another person', () => {
    const erase = { type: 'Erase', personId, giver: root } as const;
    const erased = PersonErased.of({ personId });
    givenInvited.when(erase).thenHappened(erased);
    given(invited, erased).when(erase).thenNothing();
    given().when(erase).thenRefused('resource.unknown');
    givenInvited
      .when({ ...erase, giver: { role: 'support', accounts: null } })
      .thenRefused('person.role');
    for (const type of ['Suspend', 'Reinstate'] as const) {
      given(invited, erased).when({ type, personId, giver: root }).thenRefused('resource.unknown');
    }
    given(invited, erased)
      .when({ type: 'Invite', ...draft })
      .thenRefused('resource.conflict');
  });

  it('is suspended and reinstated without a second event', () => {
    const suspended = PersonSuspended.of({ personId });
    const suspend = { type: 'Suspend', personId, giver: root } as const;
    givenInvited.when(suspend).thenHappened(suspended);
    given(invited, suspended).when(suspend).thenNothing();
    givenInvited.when({ ...suspend, type: 'Reinstate' }).thenNothing();
    given().when(suspend).thenRefused('resource.unknown');
  });
});
