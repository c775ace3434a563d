import { z } from 'zod';
import { defineEvent, type FactOf } from './define.ts';
import { personal } from './personal.ts';

// People who sign in with their own name: those of an organisation, and the operators. What tells who
// they are is sealed as the data of contacts are, under keys of their own; `contactRef` names these.

/** Roles in an organisation, the highest first. Those after `manager` are of one height. */
export const tenantRoles = ['owner', 'manager', 'developer', 'agent', 'viewer'] as const;
export const operatorRoles = ['admin', 'support', 'auditor'] as const;
export const PersonRole = z.enum([...tenantRoles, ...operatorRoles]);
export type PersonRole = z.output<typeof PersonRole>;

/** Owns the data keys of people, who belong to no account. */
export const PEOPLE = 'people';

const person = { personId: z.string(), contactRef: z.string() };

const rights = {
  role: PersonRole,
  /** Null: all accounts of the organisation. */
  accounts: z.array(z.string()).nullable(),
};

/** A link with which the person chooses a password, or a passkey. A later one takes its place. */
const invitation = { invitationId: z.string(), expiresAt: z.iso.datetime() };

export const PersonInvited = defineEvent(
  'PersonInvited',
  z.object({
    ...person,
    /** Null for an operator. */
    organisationId: z.string().nullable(),
    name: personal(z.string()),
    /** In lower case. */
    email: personal(z.string()),
    ...rights,
    ...invitation,
  }),
);
export const InvitationIssued = defineEvent(
  'InvitationIssued',
  z.object({ personId: z.string(), ...invitation }),
);
/** The issuer of OpenID Connect vouched for the person, which used an invitation up. */
export const PersonJoined = defineEvent('PersonJoined', z.object({ personId: z.string() }));
/** An operator whom nobody invited: a claim of the issuer names the role. */
export const PersonMapped = defineEvent(
  'PersonMapped',
  z.object({
    ...person,
    name: personal(z.string()),
    /** In lower case. */
    email: personal(z.string()),
    role: z.enum(operatorRoles),
  }),
);
/** The person chose a password, and so used an invitation up. */
export const PasswordSet = defineEvent(
  'PasswordSet',
  z.object({ ...person, invitationId: z.string(), passwordHash: personal(z.string()) }),
);
/** A key of WebAuthn with which a person signs in. What it signs is verified with `publicKey`. */
export const Passkey = z.object({
  /** The authenticator's id of it, in base64url. */
  credentialId: z.string(),
  /** A COSE key, in base64url. */
  publicKey: z.string(),
  /** Signatures that it had made; 0 of an authenticator that does not count. */
  counter: z.int(),
  transports: z.array(z.string()),
  /** As its person calls it. */
  name: z.string(),
});
export type Passkey = z.output<typeof Passkey>;

export const PasskeyAdded = defineEvent(
  'PasskeyAdded',
  z.object({
    ...person,
    passkeyId: z.string(),
    passkey: personal(Passkey),
    /** The invitation that it used up; null where the person was signed in. */
    invitationId: z.string().nullable(),
  }),
);
export const PasskeyRemoved = defineEvent(
  'PasskeyRemoved',
  z.object({ personId: z.string(), passkeyId: z.string() }),
);
export const PersonChanged = defineEvent(
  'PersonChanged',
  z.object({ ...person, name: personal(z.string()), ...rights }),
);
export const PersonSuspended = defineEvent('PersonSuspended', z.object({ personId: z.string() }));
export const PersonReinstated = defineEvent('PersonReinstated', z.object({ personId: z.string() }));
/** The person left for good. The keys of what tells who it was go with an erasure that follows. */
export const PersonErased = defineEvent('PersonErased', z.object({ personId: z.string() }));

export const personEvents = [
  PersonInvited,
  InvitationIssued,
  PersonJoined,
  PersonMapped,
  PasswordSet,
  PasskeyAdded,
  PasskeyRemoved,
  PersonChanged,
  PersonSuspended,
  PersonReinstated,
  PersonErased,
] as const;
export type PersonFact = FactOf<(typeof personEvents)[number]>;
