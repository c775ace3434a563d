import type { FactOf } from '../../events/define.ts';
import {
  InvitationIssued,
  PasswordSet,
  PersonChanged,
  type PersonFact,
  PersonInvited,
  PersonReinstated,
  type PersonRole,
  PersonSuspended,
} from '../../events/person.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';

/** Who gives rights, or takes them: the root administrator and other tokens of admins have no role here. */
export interface Giver {
  /** Null: may give every role. */
  role: PersonRole | null;
}

type Invited = FactOf<typeof PersonInvited>['data'];
type Invitation = Pick<Invited, 'invitationId' | 'expiresAt'>;

export interface PersonState {
  person: Pick<Invited, 'contactRef' | 'organisationId' | 'name' | 'role' | 'accounts'> | null;
  /** Id of the invitation that is open; null once it was used. */
  invitationId: string | null;
  suspended: boolean;
}

export type PersonCommand =
  | ({ type: 'Invite' } & Omit<Invited, 'name' | 'email'> & { name: string; email: string })
  | ({ type: 'Issue'; personId: string; giver: Giver } & Invitation)
  | ({ type: 'SetPassword' } & FactOf<typeof PasswordSet>['data'])
  | {
      type: 'Change';
      personId: string;
      giver: Giver;
      name?: string | undefined;
      role?: PersonRole | undefined;
      accounts?: readonly string[] | null | undefined;
    }
  | { type: 'Suspend' | 'Reinstate'; personId: string; giver: Giver };

/** The greater, the more it may do. */
const HEIGHT: Readonly<Record<PersonRole, number>> = {
  owner: 3,
  manager: 2,
  developer: 1,
  agent: 1,
  viewer: 1,
  admin: 3,
  support: 1,
  auditor: 1,
};

/** Nobody gives, changes or takes a role above his own. */
export const mustBeWithin = ({ role: own }: Giver, role: PersonRole): void => {
  if (own === null || HEIGHT[role] <= HEIGHT[own]) return;
  throw new AppError('person.role', `A ${own} cannot give or change the role ${role}`);
};

const unknown = (): AppError => new AppError('resource.unknown', 'Person not found');

const sameList = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const personDecider: Decider<PersonState, PersonCommand, PersonFact> = {
  category: 'person',
  initial: { person: null, invitationId: null, suspended: false },
  evolve(state, fact) {
    switch (fact.type) {
      case 'PersonInvited': {
        const { contactRef, organisationId, name, role, accounts, invitationId } = fact.data;
        const person = { contactRef, organisationId, name, role, accounts };
        return { ...state, person, invitationId };
      }
      case 'InvitationIssued':
        return { ...state, invitationId: fact.data.invitationId };
      case 'PasswordSet':
        return { ...state, invitationId: null };
      case 'PersonChanged': {
        const { name, role, accounts } = fact.data;
        return { ...state, person: state.person && { ...state.person, name, role, accounts } };
      }
      case 'PersonSuspended':
        return { ...state, suspended: true };
      case 'PersonReinstated':
        return { ...state, suspended: false };
    }
  },
  decide(command, { person, invitationId, suspended }) {
    if (command.type === 'Invite') {
      if (person) throw new AppError('resource.conflict', 'A person has this e-mail already');
      return [PersonInvited.of(command)];
    }
    if (!person) throw unknown();
    if (command.type === 'SetPassword') {
      if (suspended || command.invitationId !== invitationId) {
        throw new AppError('session.link', 'This link was used already, or has expired');
      }
      return [PasswordSet.of(command)];
    }
    mustBeWithin(command.giver, person.role);
    const { personId } = command;
    switch (command.type) {
      case 'Issue':
        return [InvitationIssued.of(command)];
      case 'Change': {
        const { name = person.name, role = person.role, accounts = person.accounts } = command;
        mustBeWithin(command.giver, role);
        const isSame =
          name === person.name && role === person.role && sameList(accounts, person.accounts);
        const { contactRef } = person;
        const list = accounts && [...accounts];
        return isSame
          ? []
          : [PersonChanged.of({ personId, contactRef, name, role, accounts: list })];
      }
      case 'Suspend':
        return suspended ? [] : [PersonSuspended.of({ personId })];
      case 'Reinstate':
        return suspended ? [PersonReinstated.of({ personId })] : [];
    }
  },
};
