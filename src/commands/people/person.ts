import type { FactOf } from '../../events/define.ts';
import {
  InvitationIssued,
  type Passkey,
  PasskeyAdded,
  PasskeyRemoved,
  PasswordSet,
  PersonChanged,
  PersonErased,
  type PersonFact,
  PersonInvited,
  PersonJoined,
  PersonMapped,
  PersonReinstated,
  type PersonRole,
  PersonSuspended,
} from '../../events/person.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';
import type { IssuedClaims } from './openid.ts';

/** Who gives rights, or takes them: the root administrator and other tokens of admins have no role here. */
export interface Giver {
  /** Null: may give every role. */
  role: PersonRole | null;
  /** Null: may give every account. */
  accounts: readonly string[] | null;
}

type Invited = FactOf<typeof PersonInvited>['data'];
type Invitation = Pick<Invited, 'invitationId' | 'expiresAt'>;

interface PersonState {
  person: Pick<Invited, 'contactRef' | 'organisationId' | 'name' | 'role' | 'accounts'> | null;
  /** Names the keys of an erased person; null for one who was not. */
  erasedRef: string | null;
  /** Id of the invitation that is open; null once it was used. */
  invitationId: string | null;
  /** Those of an erased person, or with a lost key, have no credential. */
  passkeys: readonly { passkeyId: string; credentialId: string | undefined }[];
  /** Whether an invitation was ever used. */
  hasJoined: boolean;
  /** Whether the issuer of OpenID Connect gives the role. */
  isMapped: boolean;
  suspended: boolean;
}

/** Whom the issuer of OpenID Connect vouches for. */
type Admit = { personId: string; contactRef: string; name: string; email: string } & Pick<
  IssuedClaims,
  'role'
>;

type PersonCommand =
  | ({ type: 'Invite' } & Omit<Invited, 'name' | 'email'> & { name: string; email: string })
  | ({ type: 'Issue'; personId: string; giver: Giver } & Invitation)
  | ({ type: 'Admit' } & Admit)
  | ({ type: 'SetPassword' } & FactOf<typeof PasswordSet>['data'])
  | ({ type: 'AddPasskey' } & FactOf<typeof PasskeyAdded>['data'] & { passkey: Passkey })
  | { type: 'RemovePasskey'; personId: string; passkeyId: string }
  | {
      type: 'Change';
      personId: string;
      giver: Giver;
      name?: string | undefined;
      role?: PersonRole | undefined;
      accounts?: readonly string[] | null | undefined;
    }
  | { type: 'Suspend' | 'Reinstate' | 'Erase'; personId: string; giver: Giver };

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

/** A person cannot give, change or take more than their own: no higher role, and no other accounts. */
export const mustBeWithin = (
  { role: own, accounts: given }: Giver,
  { role, accounts }: { role: PersonRole; accounts: readonly string[] | null },
): void => {
  if (own !== null && HEIGHT[role] > HEIGHT[own]) {
    throw new AppError('person.role', `A ${own} cannot give or change the role ${role}`);
  }
  if (given === null || accounts?.every((id) => given.includes(id))) return;
  const sentence =
    'Who is limited to some accounts gives no others, and changes nobody with others';
  throw new AppError('person.role', sentence);
};

/** Whom the issuer knows, and who may not sign in. */
export const refused = (sentence: string): AppError => new AppError('session.refused', sentence);
export const notInvited = (): AppError => refused('Nobody with this e-mail was invited');

/** A person whom the issuer vouches for signs in: who was invited, and who has a role by a claim. */
const admit = (
  { personId, contactRef, name, email, role }: Admit,
  state: PersonState,
): readonly PersonFact[] => {
  const { person, isMapped, hasJoined, suspended } = state;
  if (suspended) throw refused('This person is suspended');
  if (person && !isMapped) return hasJoined ? [] : [PersonJoined.of({ personId })];
  if (role === null) throw notInvited();
  if (!person) {
    mustBeNew(state);
    return [PersonMapped.of({ personId, contactRef, name, email, role })];
  }
  if (person.role === role && person.name === name) return [];
  const { accounts } = person;
  return [PersonChanged.of({ personId, contactRef: person.contactRef, name, role, accounts })];
};

/** An invitation of before. */
export const usedUp = (): AppError =>
  new AppError('session.link', 'This link was used already, or has expired');

/** Passkeys of one person. */
const PASSKEYS_MAX = 20;

const addPasskey = (
  { type: _, ...added }: Extract<PersonCommand, { type: 'AddPasskey' }>,
  { invitationId, passkeys, suspended }: PersonState,
): readonly PersonFact[] => {
  const isOpen = added.invitationId === null || added.invitationId === invitationId;
  if (suspended || !isOpen) throw usedUp();
  const { credentialId } = added.passkey;
  if (passkeys.some((one) => one.credentialId === credentialId)) {
    throw new AppError('resource.conflict', 'This passkey was added already');
  }
  if (passkeys.length >= PASSKEYS_MAX) {
    const sentence = `A person has ${PASSKEYS_MAX} passkeys at most: remove one first`;
    throw new AppError('resource.conflict', sentence);
  }
  return [PasskeyAdded.of(added)];
};

const unknown = (): AppError => new AppError('resource.unknown', 'Person not found');

const sameList = (one: readonly string[] | null, other: readonly string[] | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const initial: PersonState = {
  person: null,
  erasedRef: null,
  invitationId: null,
  passkeys: [],
  hasJoined: false,
  isMapped: false,
  suspended: false,
};

/** Whoever has the e-mail of an erased person next has another id. */
const mustBeNew = ({ erasedRef }: PersonState): void => {
  if (erasedRef === null) return;
  const sentence = 'The person with this e-mail was erased at this moment: try again';
  throw new AppError('resource.conflict', sentence);
};

export const personDecider: Decider<PersonState, PersonCommand, PersonFact> = {
  category: 'person',
  initial,
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
      case 'PersonJoined':
        return { ...state, invitationId: null, hasJoined: true };
      case 'PasskeyAdded': {
        const { passkeyId, passkey, invitationId } = fact.data;
        const one = { passkeyId, credentialId: passkey?.credentialId };
        const passkeys = [...state.passkeys, one];
        return invitationId === null
          ? { ...state, passkeys }
          : { ...state, passkeys, invitationId: null, hasJoined: true };
      }
      case 'PasskeyRemoved': {
        const { passkeyId } = fact.data;
        const passkeys = state.passkeys.filter((one) => one.passkeyId !== passkeyId);
        return { ...state, passkeys };
      }
      case 'PersonMapped': {
        const { contactRef, name, role } = fact.data;
        const person = { contactRef, organisationId: null, name, role, accounts: null };
        return { ...state, person, hasJoined: true, isMapped: true };
      }
      case 'PersonChanged': {
        const { name, role, accounts } = fact.data;
        return { ...state, person: state.person && { ...state.person, name, role, accounts } };
      }
      case 'PersonSuspended':
        return { ...state, suspended: true };
      case 'PersonReinstated':
        return { ...state, suspended: false };
      case 'PersonErased':
        return { ...initial, erasedRef: state.person?.contactRef ?? state.erasedRef };
    }
  },
  decide(command, state) {
    const { person, invitationId, suspended } = state;
    if (command.type === 'Admit') return admit(command, state);
    if (command.type === 'Invite') {
      if (person) throw new AppError('resource.conflict', 'A person has this e-mail already');
      mustBeNew(state);
      return [PersonInvited.of(command)];
    }
    if (!person && command.type === 'Erase' && state.erasedRef !== null) return [];
    if (!person) throw unknown();
    if (command.type === 'SetPassword') {
      if (suspended || command.invitationId !== invitationId) throw usedUp();
      return [PasswordSet.of(command)];
    }
    if (command.type === 'AddPasskey') return addPasskey(command, state);
    if (command.type === 'RemovePasskey') {
      const { personId, passkeyId } = command;
      const isThere = state.passkeys.some((one) => one.passkeyId === passkeyId);
      if (!isThere) throw new AppError('resource.unknown', 'Passkey not found');
      return [PasskeyRemoved.of({ personId, passkeyId })];
    }
    mustBeWithin(command.giver, person);
    const { personId } = command;
    switch (command.type) {
      case 'Issue':
        return [InvitationIssued.of(command)];
      case 'Change': {
        const { name = person.name, role = person.role, accounts = person.accounts } = command;
        mustBeWithin(command.giver, { role, accounts });
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
      case 'Erase':
        return [PersonErased.of({ personId })];
    }
  },
};
