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

/** A link with which the person chooses a password. A later one takes its place. */
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
/** The person chose a password, and so used an invitation up. */
export const PasswordSet = defineEvent(
  'PasswordSet',
  z.object({ ...person, invitationId: z.string(), passwordHash: personal(z.string()) }),
);
export const PersonChanged = defineEvent(
  'PersonChanged',
  z.object({ ...person, name: personal(z.string()), ...rights }),
);
export const PersonSuspended = defineEvent('PersonSuspended', z.object({ personId: z.string() }));
export const PersonReinstated = defineEvent('PersonReinstated', z.object({ personId: z.string() }));

export const personEvents = [
  PersonInvited,
  InvitationIssued,
  PasswordSet,
  PersonChanged,
  PersonSuspended,
  PersonReinstated,
] as const;
export type PersonFact = FactOf<(typeof personEvents)[number]>;
