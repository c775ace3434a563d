import { personDecider } from '../../../src/commands/people/person.ts';
import {
  InvitationIssued,
  PasswordSet,
  PersonInvited,
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
const root = { role: null };
const given = spec(personDecider);

describe('A person', () => {
  it('is invited once: a second one with the e-mail is refused', () => {
    given()
      .when({ type: 'Invite', ...draft })
      .thenHappened(invited);
    given(invited)
      .when({ type: 'Invite', ...draft })
      .thenRefused('resource.conflict');
  });

  it('sets a password with the newest invitation, once', () => {
    const set = { type: 'SetPassword', ...password, invitationId: 'first' } as const;
    given(invited).when(set).thenHappened({ type: 'PasswordSet', data: password });
    const used = PasswordSet.of({ ...password, invitationId: 'first' });
    given(invited, used).when(set).thenRefused('session.link');
    const later = InvitationIssued.of({ personId, invitationId: 'second', expiresAt });
    given(invited, later).when(set).thenRefused('session.link');
    given(invited, used, later)
      .when({ ...set, invitationId: 'second' })
      .thenHappened({ type: 'PasswordSet', data: { invitationId: 'second' } });
    given(invited, PersonSuspended.of({ personId })).when(set).thenRefused('session.link');
  });

  it('is changed by nobody with a lower role, and into no role above his', () => {
    const agent = { role: 'agent' } as const;
    const manager = { role: 'manager' } as const;
    const change = { type: 'Change', personId } as const;
    given(invited)
      .when({ ...change, giver: agent, name: 'Max' })
      .thenRefused('person.role');
    given(invited)
      .when({ ...change, giver: manager, role: 'owner' })
      .thenRefused('person.role');
    given(invited).when({ type: 'Suspend', personId, giver: agent }).thenRefused('person.role');
    given(invited)
      .when({ ...change, giver: manager, role: 'agent', accounts: ['acc_1'] })
      .thenHappened({
        type: 'PersonChanged',
        data: { name: 'Mia', role: 'agent', accounts: ['acc_1'] },
      });
    given(invited)
      .when({ ...change, giver: root, role: 'manager' })
      .thenNothing();
  });

  it('is suspended and reinstated without a second event', () => {
    const suspended = PersonSuspended.of({ personId });
    const suspend = { type: 'Suspend', personId, giver: root } as const;
    given(invited).when(suspend).thenHappened(suspended);
    given(invited, suspended).when(suspend).thenNothing();
    given(invited)
      .when({ ...suspend, type: 'Reinstate' })
      .thenNothing();
    given().when(suspend).thenRefused('resource.unknown');
  });
});
