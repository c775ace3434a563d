import {
  operatorRoles,
  type Passkey,
  PEOPLE,
  type PersonRole,
  tenantRoles,
} from '../../events/person.ts';
import { type Clock, type Ids, isoTime, sortedId } from '../../shared/clock.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import type { Passwords } from '../../shared/passwords.ts';
import type { Subjects } from '../contacts/subjects.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { organisationDecider } from '../tenancy/tenancy.ts';
import type { IssuedClaims } from './openid.ts';
import { type Giver, mustBeWithin, notInvited, personDecider, refused, usedUp } from './person.ts';

/** For so long an invitation works. */
const INVITATION_MS = 72 * 3_600_000;
const INVITATION_ID_LENGTH = 22;

/** What a person needs to choose a password, and until when. */
export interface Invitation {
  personId: string;
  invitationId: string;
  /** In milliseconds since 1970. */
  expiresAt: number;
}

interface Draft {
  name: string;
  email: string;
  role: PersonRole;
  /** Null: all accounts of the organisation. */
  accounts: readonly string[] | null;
}

export interface PeopleDeps {
  writer: Writer;
  /** The subjects of people, and the hash under which the record of one lies. */
  subjects: Pick<Subjects, 'of'> & { hashOf(owner: string, id: string): string };
  /** Ids of the accounts of an organisation. */
  accountsOf: (organisationId: string) => Promise<readonly { id: string }[]>;
  passwords: Passwords;
  clock: Clock;
  ids: Ids;
}

/** People who had one e-mail after each other, each erased before the next. */
export const SAME_EMAIL_MAX = 100;

/**
 * The id of the nth person with this e-mail, from 0: two people cannot have one at a time, and the next has
 * none of what the one before did. It is a keyed hash.
 */
const createPersonIds =
  ({ hashOf }: Pick<PeopleDeps['subjects'], 'hashOf'>) =>
  (email: string, nth = 0): string => {
    const own = email.trim().toLowerCase();
    return `per_${hashOf(PEOPLE, nth === 0 ? own : `${own}\n${nth}`)}`;
  };

const mustFit = (role: PersonRole, organisationId: string | null): void => {
  const roles: readonly string[] = organisationId === null ? operatorRoles : tenantRoles;
  if (roles.includes(role)) return;
  throw invalidFields({ role: [`must be one of ${roles.join(', ')}`] });
};

/** People who sign in with their own name: their invitations, rights and passwords. */
export const createPeople = (deps: PeopleDeps) => {
  const { writer, subjects, accountsOf, passwords, clock, ids } = deps;
  const idOf = createPersonIds(subjects);

  const mustOwn = async (organisationId: string | null, accounts: readonly string[] | null) => {
    if (accounts === null) return;
    const own = organisationId === null ? [] : await accountsOf(organisationId);
    const strange = accounts.find((id) => !own.some((one) => one.id === id));
    if (strange === undefined) return;
    throw invalidFields({ accounts: [`${strange} is no account of the organisation`] });
  };

  const newInvitation = (personId: string): Invitation => ({
    personId,
    invitationId: ids.secret(INVITATION_ID_LENGTH),
    expiresAt: clock.now() + INVITATION_MS,
  });
  const inEvent = ({ expiresAt, ...rest }: Invitation) => ({
    ...rest,
    expiresAt: isoTime(expiresAt),
  });

  /** The context with the keys of the person. */
  const about = async (personId: string, context: CommandContext) => ({
    ...context,
    subjects: [await subjects.of(PEOPLE, personId)],
  });

  const stateOf = async (personId: string) => (await writer.load(personDecider, personId)).state;

  /** Who has this e-mail, or is the next to have it. */
  const personWith = async (email: string) => {
    for (let nth = 0; nth < SAME_EMAIL_MAX; nth += 1) {
      const personId = idOf(email, nth);
      const { person, erasedRef } = await stateOf(personId);
      if (person || erasedRef === null) return { personId, isThere: person !== null };
    }
    const sentence = `${SAME_EMAIL_MAX} people with this e-mail were erased: take another e-mail`;
    throw new AppError('resource.conflict', sentence);
  };

  const addPasskey = async (
    personId: string,
    added: { passkey: Passkey; invitationId: string | null },
    requestId: string,
  ): Promise<void> => {
    const context = await about(personId, { requestId, by: { id: personId } });
    const { ref: contactRef } = context.subjects[0]!;
    const passkeyId = sortedId('pky', ids);
    const command = { type: 'AddPasskey' as const, personId, contactRef, passkeyId, ...added };
    await writer.execute(personDecider, personId, command, context);
  };

  return {
    idOf,

    /** Throws `resource.conflict` for an e-mail that a person has already. */
    async invite(
      { accounts, ...draft }: Draft,
      organisationId: string | null,
      giver: Giver,
      context: CommandContext,
    ): Promise<Invitation> {
      mustFit(draft.role, organisationId);
      mustBeWithin(giver, { role: draft.role, accounts });
      if (organisationId !== null) {
        const { state } = await writer.load(organisationDecider, organisationId);
        if (!state.created) throw new AppError('resource.unknown', 'Organisation not found');
      }
      await mustOwn(organisationId, accounts);
      const email = draft.email.trim().toLowerCase();
      const { personId } = await personWith(email);
      const invitation = newInvitation(personId);
      const on = await about(personId, context);
      const contactRef = on.subjects[0]!.ref;
      const person = {
        ...draft,
        email,
        organisationId,
        contactRef,
        accounts: accounts && [...accounts],
      };
      const command = { type: 'Invite' as const, ...person, ...inEvent(invitation) };
      await writer.execute(personDecider, personId, command, on);
      return invitation;
    },

    /** Another invitation; earlier ones work no more. Also for who forgot a password. */
    async issue(personId: string, giver: Giver, context: CommandContext): Promise<Invitation> {
      const invitation = newInvitation(personId);
      const command = { type: 'Issue' as const, giver, ...inEvent(invitation) };
      await writer.execute(personDecider, personId, command, context);
      return invitation;
    },

    async change(
      personId: string,
      change: { [Field in 'name' | 'role' | 'accounts']?: Draft[Field] | undefined },
      giver: Giver,
      context: CommandContext,
    ): Promise<void> {
      const { person } = await stateOf(personId);
      if (!person) throw new AppError('resource.unknown', 'Person not found');
      if (change.role) mustFit(change.role, person.organisationId);
      if (change.accounts) await mustOwn(person.organisationId, change.accounts);
      const command = { type: 'Change' as const, personId, giver, ...change };
      await writer.execute(personDecider, personId, command, await about(personId, context));
    },

    async setSuspended(
      personId: string,
      suspended: boolean,
      giver: Giver,
      context: CommandContext,
    ): Promise<void> {
      const type = suspended ? ('Suspend' as const) : ('Reinstate' as const);
      await writer.execute(personDecider, personId, { type, personId, giver }, context);
    },

    /** The person may do nothing any more. Resolves to the ref of the keys that an erasure is to destroy. */
    async erase(personId: string, giver: Giver, context: CommandContext): Promise<string> {
      const command = { type: 'Erase' as const, personId, giver };
      const { state } = await writer.execute(personDecider, personId, command, context);
      return state.erasedRef!;
    },

    /**
     * The person whom an issuer vouches for, and whether a claim gives the role. Throws `session.refused` for
     * one who was not invited and has no role by the claims.
     */
    async admit(
      { role, ...claims }: IssuedClaims,
      requestId: string,
    ): Promise<{ personId: string; isMapped: boolean }> {
      if (claims.email === null) {
        throw refused('The sign-in service has not verified an e-mail of this person');
      }
      const email = claims.email.trim().toLowerCase();
      const name = claims.name ?? email;
      const { personId, isThere } = await personWith(email);
      // A stranger gets no keys.
      if (!isThere && role === null) throw notInvited();
      const on = await about(personId, { requestId, by: { id: personId } });
      const contactRef = on.subjects[0]!.ref;
      const command = { type: 'Admit' as const, personId, contactRef, name, email, role };
      const { state } = await writer.execute(personDecider, personId, command, on);
      return { personId, isMapped: state.isMapped };
    },

    /** Uses an invitation up. Throws `session.link` for one that was used, or replaced. */
    async accept(
      { personId, invitationId }: Pick<Invitation, 'personId' | 'invitationId'>,
      way: { password: string } | { passkey: Passkey },
      requestId: string,
    ): Promise<void> {
      const { person, invitationId: open } = await stateOf(personId);
      if (!person || invitationId !== open) throw usedUp();
      if ('passkey' in way) {
        await addPasskey(personId, { ...way, invitationId }, requestId);
        return;
      }
      const passwordHash = await passwords.hash(way.password, personId);
      const { contactRef } = person;
      const command = { personId, contactRef, invitationId, passwordHash };
      const context = await about(personId, { requestId, by: { id: personId } });
      await writer.execute(personDecider, personId, { type: 'SetPassword', ...command }, context);
    },

    /** For a person who is signed in. */
    addPasskey: (personId: string, passkey: Passkey, requestId: string): Promise<void> =>
      addPasskey(personId, { passkey, invitationId: null }, requestId),

    async removePasskey(personId: string, passkeyId: string, requestId: string): Promise<void> {
      const command = { type: 'RemovePasskey' as const, personId, passkeyId };
      await writer.execute(personDecider, personId, command, { requestId, by: { id: personId } });
    },
  };
};

export type People = ReturnType<typeof createPeople>;
