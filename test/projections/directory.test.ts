import type { FactOf } from '../../src/events/define.ts';
import {
  AdministratorCreated,
  AdministratorRevoked,
  ApiKeyCreated,
  ApiKeyStateChanged,
  ApiKeyUsed,
  OrganisationCreated,
  OrganisationReinstated,
  OrganisationSuspended,
} from '../../src/events/directory.ts';
import {
  PasskeyAdded,
  PasskeyRemoved,
  PersonErased,
  PersonInvited,
  PersonJoined,
  PersonMapped,
  PersonReinstated,
  PersonSuspended,
} from '../../src/events/person.ts';
import { administrators } from '../../src/projections/administrators.ts';
import { keys } from '../../src/projections/keys.ts';
import { organisations } from '../../src/projections/organisations.ts';
import { people } from '../../src/projections/people.ts';
import { given } from '../support/projections.ts';
import { positionAt, written } from '../support/projections-facts.ts';

const createdAt = '2026-11-21T12:00:00.000Z';
const fresh = { state: 'active', createdAt, order: positionAt(0) } as const;

describe('organisations', () => {
  const history = given(organisations);
  const organisationId = 'org_1';
  const stream = 'organisation-1';
  const created = written(stream, OrganisationCreated.of({ organisationId, name: 'Acme' }));
  const suspended = written(stream, OrganisationSuspended.of({ organisationId, reason: 'unpaid' }));
  const reinstated = written(stream, OrganisationReinstated.of({ organisationId, reason: null }));

  it('shows one as it was created', () =>
    history(created).thenIs('org_1', {
      id: 'org_1',
      name: 'Acme',
      suspended: false,
      suspendedReason: null,
      fourEyes: [],
      createdAt,
      order: positionAt(0),
    }));
  it('shows why it is suspended', () =>
    history(created, suspended).thenShows('org_1', { suspended: true, suspendedReason: 'unpaid' }));
  it('forgets why once it is reinstated', () =>
    history(created, suspended, reinstated).thenShows('org_1', {
      suspended: false,
      suspendedReason: null,
    }));
});

describe('keys', () => {
  const history = given(keys);
  const key = {
    keyId: 'key_1',
    accountId: 'acc_1',
    organisationId: 'org_1',
    name: 'Shop',
    prefix: 'abcd1234',
    secretHash: 'hash',
    allowedOrigins: ['https://shop.example'],
    rateLimit: 120,
    expiresAt: null,
    scopes: ['messages:read'],
  };
  const created = written('apikey-1', ApiKeyCreated.of(key));
  const used = (hour: string) => {
    const usedAt = `2026-11-21T${hour}:00:00.000Z`;
    return written('apikey-1', ApiKeyUsed.of({ keyId: 'key_1', usedAt }));
  };
  const changed = (state: 'active' | 'inactive' | 'revoked') =>
    written('apikey-1', ApiKeyStateChanged.of({ keyId: 'key_1', state }));

  it('shows one as it was created', () =>
    history(created).thenIs('key_1', { ...key, ...fresh, lastUsedAt: null }));
  it('follows its state', () => {
    for (const states of [['inactive'], ['inactive', 'active'], ['revoked']] as const) {
      history(created, ...states.map(changed)).thenShows('key_1', { state: states.at(-1)! });
    }
  });
  it('shows when it was used last, in whatever order that is noted', () =>
    history(created, ...['13', '15', '14'].map(used)).thenShows('key_1', {
      lastUsedAt: '2026-11-21T15:00:00.000Z',
    }));
  it('knows nothing of a key that was never created', () =>
    history(used('13'), changed('revoked')).thenHas(0));
});

describe('administrators', () => {
  const history = given(administrators);
  const administrator = {
    administratorId: 'adm_1',
    name: 'Ops',
    email: 'ops@example.com',
    role: 'auditor' as const,
    prefix: 'p1',
    secretHash: 'hash',
  };
  const created = written('administrator-1', AdministratorCreated.of(administrator));
  const revoked = written('administrator-1', AdministratorRevoked.of({ administratorId: 'adm_1' }));
  it('shows one as it was created', () =>
    history(created).thenIs('adm_1', { ...administrator, ...fresh }));
  it('keeps one that was revoked', () =>
    history(created, revoked).thenShows('adm_1', { state: 'revoked', email: administrator.email }));
});

describe('people', () => {
  const history = given(people);
  const personId = 'per_1';
  const person = { personId, contactRef: 'ref-1', name: 'Mia', email: 'mia@shop.example' };
  const stream = 'person-per_1';
  const invitation = { invitationId: 'first', expiresAt: '2026-11-24T12:00:00.000Z' };
  const rights = { organisationId: 'org_1', role: 'agent', accounts: null } as const;
  const invited = written(stream, PersonInvited.of({ ...person, ...rights, ...invitation }));
  const joined = written(stream, PersonJoined.of({ personId }));
  const suspended = written(stream, PersonSuspended.of({ personId }));
  const reinstated = written(stream, PersonReinstated.of({ personId }));
  const credential = { credentialId: 'c1', publicKey: 'pk', counter: 0 };
  const passkey = { ...credential, transports: [], name: 'Laptop' };
  const about = { personId, contactRef: 'ref-1', passkeyId: 'pky_1', passkey, invitationId: null };
  const passkeyAdded = (change: Partial<FactOf<typeof PasskeyAdded>['data']> = {}) =>
    written(stream, PasskeyAdded.of({ ...about, ...change }));
  const added = passkeyAdded();

  it('are invited until they sign in, and again what they were after a suspension', () => {
    history(invited).thenShows(personId, { state: 'invited', invitedUntil: invitation.expiresAt });
    history(invited, joined).thenShows(personId, { state: 'active', invitedUntil: null });
    history(invited, suspended, reinstated).thenShows(personId, { state: 'invited' });
    history(invited, joined, suspended, reinstated).thenShows(personId, { state: 'active' });
    const accepted = passkeyAdded({ invitationId: 'first' });
    history(invited, accepted).thenShows(personId, { state: 'active', invitedUntil: null });
    const mapped = written(stream, PersonMapped.of({ ...person, role: 'auditor' }));
    history(mapped).thenShows(personId, { state: 'active', organisationId: '', role: 'auditor' });
  });

  it('have their passkeys, until they remove them', () => {
    history(invited, joined, added).thenShows(personId, {
      state: 'active',
      passkeys: [{ ...passkey, id: 'pky_1', addedAt: createdAt }],
    });
    const removed = written(stream, PasskeyRemoved.of({ personId, passkeyId: 'pky_1' }));
    history(invited, joined, added, removed).thenShows(personId, { passkeys: [] });
    const lost = passkeyAdded({ passkey: null, invitationId: 'first' });
    history(invited, lost).thenShows(personId, { state: 'active', passkeys: [] });
  });

  it('show nobody who they were from the erasure on', () => {
    const erased = written(stream, PersonErased.of({ personId }));
    history(invited, joined, added, erased).thenShows(personId, {
      state: 'erased',
      name: null,
      email: null,
      passkeys: [],
      sealedMonth: null,
      role: 'agent',
    });
  });
});
