import type { EventOf } from '../events/index.ts';
import { type Passkey, PEOPLE, type PersonFact } from '../events/person.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

type Invited = Extract<PersonFact, { type: 'PersonInvited' }>['data'];

interface PasskeyRecord extends Passkey {
  id: string;
  addedAt: string;
}

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
  /** The oldest first; none once erased. */
  passkeys: readonly PasskeyRecord[];
  /** Whether an invitation was ever used. */
  hasJoined: boolean;
  /** `invited` until the first sign-in. */
  state: 'invited' | 'active' | 'suspended' | 'erased';
  /** When the newest invitation expires; null once it was used. */
  invitedUntil: string | null;
  createdAt: string;
  order: Position;
  sealedMonth: string | null;
}

/** The person as the first event tells of him. */
const begun = (
  { data, meta, position, sealedMonth }: EventOf<'PersonInvited' | 'PersonMapped'>,
  rights: Pick<PersonDocument, 'organisationId' | 'accounts' | 'invitedUntil'>,
): PersonDocument => ({
  ...rights,
  id: data.personId,
  accountId: PEOPLE,
  contactRef: data.contactRef,
  name: data.name,
  email: data.email,
  role: data.role,
  passwordHash: null,
  passkeys: [],
  hasJoined: false,
  state: 'invited',
  createdAt: meta.at,
  order: position,
  sealedMonth: data.name === null ? null : (sealedMonth ?? null),
});

/** The person once he has signed in for the first time, or again after an invitation. */
const joined = (person: PersonDocument): PersonDocument => ({
  ...person,
  hasJoined: true,
  state: 'active',
  invitedUntil: null,
});

/** The person without what tells who it is, and without a way in. */
const nameless = (person: PersonDocument): PersonDocument => ({
  ...person,
  name: null,
  email: null,
  passwordHash: null,
  passkeys: [],
  sealedMonth: null,
});

const personId = (event: { data: { personId: string } }) => event.data.personId;

export const people = defineProjection<PersonDocument>({
  name: 'people',
  version: 2,
  indexes: [
    ['organisationId', '-order'],
    ['contactRef', 'sealedMonth?'],
    ['accountId', 'sealedMonth?'],
  ],
  words: ['accountId'],
  erase: {
    by: 'contactRef',
    ofNone: true,
    document: nameless,
  },
  on: {
    PersonInvited: {
      key: personId,
      fold(_, event) {
        const { organisationId, accounts, expiresAt: invitedUntil } = event.data;
        return begun(event, { organisationId: organisationId ?? '', accounts, invitedUntil });
      },
    },
    InvitationIssued: {
      key: personId,
      fold: (person, { data }) => person && { ...person, invitedUntil: data.expiresAt },
    },
    PasswordSet: {
      key: personId,
      fold: (person, { data: { passwordHash } }) => person && joined({ ...person, passwordHash }),
    },
    PasskeyAdded: {
      key: personId,
      fold(person, { data: { passkeyId: id, passkey, invitationId }, meta }) {
        if (!person) return person;
        const whole = invitationId === null ? person : joined(person);
        if (passkey === null) return whole;
        return {
          ...whole,
          passkeys: [...person.passkeys, { ...passkey, id, addedAt: meta.at }],
        };
      },
    },
    PasskeyRemoved: {
      key: personId,
      fold: (person, { data }) =>
        person && {
          ...person,
          passkeys: person.passkeys.filter(({ id }) => id !== data.passkeyId),
        },
    },
    PersonJoined: {
      key: personId,
      fold: (person) => person && joined(person),
    },
    PersonMapped: {
      key: personId,
      fold: (_, event) =>
        joined(begun(event, { organisationId: '', accounts: null, invitedUntil: null })),
    },
    PersonChanged: {
      key: personId,
      fold: (person, { data: { name, role, accounts } }) =>
        person && { ...person, name, role, accounts },
    },
    // At once, before the keys are destroyed: nobody is shown who this was from here on.
    PersonErased: {
      key: personId,
      fold: (person) => person && { ...nameless(person), state: 'erased', invitedUntil: null },
    },
    PersonSuspended: {
      key: personId,
      fold: (person) => person && { ...person, state: 'suspended' },
    },
    PersonReinstated: {
      key: personId,
      fold: (person) => person && { ...person, state: person.hasJoined ? 'active' : 'invited' },
    },
  },
});
