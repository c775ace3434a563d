import { PEOPLE, type PersonFact } from '../events/person.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

type Invited = Extract<PersonFact, { type: 'PersonInvited' }>['data'];

/** A person who may sign in. */
export interface PersonDocument extends Pick<Invited, 'contactRef' | 'role' | 'accounts'> {
  id: string;
  /** Empty for an operator. */
  organisationId: string;
  /** Owns the data keys; not one of the person's accounts. */
  accountId: typeof PEOPLE;
  /** These three are null once erased. */
  name: string | null;
  email: string | null;
  passwordHash: string | null;
  hasPassword: boolean;
  /** `invited` until a password was chosen. */
  state: 'invited' | 'active' | 'suspended';
  /** When the newest invitation expires; null once it was used. */
  invitedUntil: string | null;
  createdAt: string;
  order: Position;
  sealedMonth: string | null;
}

const personId = (event: { data: { personId: string } }) => event.data.personId;

export const people = defineProjection<PersonDocument>({
  name: 'people',
  version: 1,
  indexes: [
    ['organisationId', '-order'],
    ['contactRef', 'sealedMonth?'],
    ['accountId', 'sealedMonth?'],
  ],
  words: ['accountId'],
  erase: {
    by: 'contactRef',
    ofNone: true,
    document: (person) => ({
      ...person,
      name: null,
      email: null,
      passwordHash: null,
      sealedMonth: null,
    }),
  },
  on: {
    PersonInvited: {
      key: personId,
      fold: (_, { data, meta, position, sealedMonth }, id) => ({
        id,
        accountId: PEOPLE,
        contactRef: data.contactRef,
        organisationId: data.organisationId ?? '',
        name: data.name,
        email: data.email,
        role: data.role,
        accounts: data.accounts,
        passwordHash: null,
        hasPassword: false,
        state: 'invited',
        invitedUntil: data.expiresAt,
        createdAt: meta.at,
        order: position,
        sealedMonth: data.name === null ? null : (sealedMonth ?? null),
      }),
    },
    InvitationIssued: {
      key: personId,
      fold: (person, { data }) => person && { ...person, invitedUntil: data.expiresAt },
    },
    PasswordSet: {
      key: personId,
      fold: (person, { data: { passwordHash } }) =>
        person && {
          ...person,
          passwordHash,
          hasPassword: true,
          state: 'active',
          invitedUntil: null,
        },
    },
    PersonChanged: {
      key: personId,
      fold: (person, { data: { name, role, accounts } }) =>
        person && { ...person, name, role, accounts },
    },
    PersonSuspended: {
      key: personId,
      fold: (person) => person && { ...person, state: 'suspended' },
    },
    PersonReinstated: {
      key: personId,
      fold: (person) => person && { ...person, state: person.hasPassword ? 'active' : 'invited' },
    },
  },
});
