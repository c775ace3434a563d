import { hash, timingSafeEqual } from 'node:crypto';
import { SAME_EMAIL_MAX } from '../commands/people/people.ts';
import type { Authenticator } from '../http/edge/admission.ts';
import type { Administrator, AuthenticatedKey, Person } from '../http/edge/context.ts';
import { SESSION_LIMIT } from '../http/edge/limits.ts';
import { isOperatorRole, tenantRights } from '../http/edge/roles.ts';
import { isBrief } from '../http/edge/session.ts';
import type { AdministratorDocument } from '../projections/administrators.ts';
import type { KeyDocument } from '../projections/keys.ts';
import type { PersonDocument } from '../projections/people.ts';
import { isoTime } from '../shared/clock.ts';
import { AppError } from '../shared/errors.ts';
import { createGrowingCache } from '../shared/growing-cache.ts';
import type { Passwords } from '../shared/passwords.ts';
import type { Secrets } from '../shared/secrets.ts';
import type { Credentials } from './lookups/lookups.ts';

/** The log notes the use of a key at most this often. */
const USE_NOTED_EVERY_MS = 10 * 60_000;

/** The administrator with the token of the environment. */
const rootAdministrator: Administrator = {
  id: 'root',
  name: 'Root administrator',
  email: 'root@localhost',
  role: 'admin',
};

const keyForm = /^wb_(?:live|test)_([0-9A-Za-z]{8})_[0-9A-Za-z]{32}$/;
const tokenForm = /^wb_adm_([0-9A-Za-z]{8})_[0-9A-Za-z]{32}$/;

/** Whether a key is valid now: active and not expired. */
export const keyStands = (
  { state, expiresAt }: Pick<KeyDocument, 'state' | 'expiresAt'>,
  now: number,
): boolean => state === 'active' && (expiresAt === null || Date.parse(expiresAt) > now);

const administratorOf = (found: AdministratorDocument): Administrator | undefined => {
  if (found.state !== 'active') return undefined;
  const { administratorId: id, name, email, role } = found;
  return { id, name, email, role };
};

/** Undefined for one who may not sign in. Who chose no password yet may by another way. */
const personOf = (found: PersonDocument): Person | undefined => {
  const { id, name, email, role, accounts, state } = found;
  if (state !== 'active' || name === null || email === null) return undefined;
  return { id, name, email, role, accounts, organisationId: found.organisationId || null };
};

const isAsked =
  (asked: string | undefined) =>
  ({ id }: { id: string }): boolean =>
    id === asked;

const accountRefused = (asked: string | undefined): AppError =>
  asked === undefined
    ? new AppError('person.account', 'Say with X-Waybill-Account which of your accounts is meant')
    : new AppError('resource.unknown', 'Account not found');

const sessionChecks = (lookups: Credentials): Pick<Authenticator, 'isOpen' | 'openSessions'> => ({
  isOpen: async (sessionId) =>
    isBrief(sessionId) || (await lookups.session(sessionId)) !== undefined,
  openSessions: (holderId, afterMs) => lookups.openSessions(holderId, isoTime(afterMs)),
});

/** Finds the holder of a bearer token. Compares in constant time. */
export const createAuthenticator = (deps: {
  lookups: Credentials;
  secrets: Secrets;
  /** Of the root administrator: two while the token is being changed. */
  adminTokens: readonly string[];
  /** Of the nth person with the e-mail, from 0: those before are erased. */
  personIdOf: (email: string, nth?: number) => string;
  passwords: Pick<Passwords, 'matches'>;
  /** Called at most every 10 minutes for a key in use; must not throw. */
  onUse: (keyId: string, at: number) => void;
}): Authenticator => {
  const { lookups, secrets } = deps;
  const roots = deps.adminTokens.map((token) => hash('sha256', token, 'buffer'));
  const lastNoted = createGrowingCache<string, number>(20_000);
  /** Digests of matching tokens, by their stored hash: comparing these is cheaper. */
  const matched = createGrowingCache<string, Buffer>(20_000);

  const matches = (token: string, secretHash: string): boolean => {
    const given = hash('sha256', token, 'buffer');
    const known = matched.get(secretHash);
    if (known && timingSafeEqual(known, given)) return true;
    if (!secrets.tokenMatches(token, secretHash)) return false;
    matched.set(secretHash, given);
    return true;
  };

  const noteUse = (keyId: string, at: number) => {
    const last = lastNoted.get(keyId);
    if (last !== undefined && at - last < USE_NOTED_EVERY_MS) return;
    lastNoted.set(keyId, at);
    deps.onUse(keyId, at);
  };

  const holderOf = async (key: KeyDocument, now: number): Promise<AuthenticatedKey | undefined> => {
    if (!keyStands(key, now)) return undefined;
    const organisation = await lookups.organisation(key.organisationId);
    if (!organisation) return undefined;
    noteUse(key.keyId, now);
    return {
      keyId: key.keyId,
      accountId: key.accountId,
      organisationId: key.organisationId,
      organisationSuspended: organisation.suspended,
      allowedOrigins: key.allowedOrigins,
      rateLimit: key.rateLimit,
      scopes: key.scopes,
      ...(key.opaqueIsIdempotent && { opaqueIsIdempotent: true }),
    };
  };

  const personById = async (id: string): Promise<Person | undefined> => {
    const found = await lookups.person(id);
    return found && personOf(found);
  };

  const personWith = async (email: string): Promise<PersonDocument | undefined> => {
    for (let nth = 0; nth < SAME_EMAIL_MAX; nth += 1) {
      const found = await lookups.person(deps.personIdOf(email, nth));
      if (found?.state !== 'erased') return found;
    }
    return undefined;
  };

  const isSuspended = async (organisationId: string): Promise<boolean> =>
    (await lookups.organisation(organisationId))?.suspended ?? true;

  const accountsOf: Authenticator['accountsOf'] = async ({ organisationId, accounts }) => {
    const all = organisationId === null ? [] : await lookups.accountsOf(organisationId);
    return all.filter(({ id }) => accounts === null || accounts.includes(id));
  };

  return {
    personById,
    async personRecord(id) {
      const found = await lookups.person(id);
      if (!found || found.state === 'suspended') return undefined;
      const { name, email, passkeys } = found;
      return name === null || email === null ? undefined : { id, name, email, passkeys };
    },
    isSuspended,
    async personByPassword(email, password, address) {
      const found = await personWith(email);
      const stored = found?.passwordHash ?? null;
      const isRight = await deps.passwords.matches(password, stored, address);
      return found && isRight ? personOf(found) : undefined;
    },
    accountsOf,
    async keyOfPerson(person, { accountId: asked, isAny }) {
      const own = await accountsOf(person);
      const isClear = asked === undefined && (isAny || own.length === 1);
      const account = isClear ? own[0] : own.find(isAsked(asked));
      if (!account) throw accountRefused(asked);
      const organisationId = person.organisationId!;
      return {
        keyId: person.id,
        accountId: account.id,
        organisationId,
        organisationSuspended: await isSuspended(organisationId),
        allowedOrigins: [],
        rateLimit: SESSION_LIMIT,
        scopes: isOperatorRole(person.role) ? [] : tenantRights[person.role].scopes,
        person,
      };
    },
    async apiKey(token, now) {
      const handle = keyForm.exec(token)?.[1];
      const key = handle && (await lookups.key(`key_${handle}`));
      return key && matches(token, key.secretHash) ? holderOf(key, now) : undefined;
    },
    async apiKeyById(keyId, now) {
      const key = await lookups.key(keyId);
      return key && holderOf(key, now);
    },
    async administrator(token) {
      const given = hash('sha256', token, 'buffer');
      if (roots.some((root) => timingSafeEqual(given, root))) return rootAdministrator;
      const handle = tokenForm.exec(token)?.[1];
      const found = handle === undefined ? undefined : await lookups.administrator(`adm_${handle}`);
      return found && matches(token, found.secretHash) ? administratorOf(found) : undefined;
    },
    async administratorById(id) {
      if (id === rootAdministrator.id) return rootAdministrator;
      const found = await lookups.administrator(id);
      return found && administratorOf(found);
    },
    ...sessionChecks(lookups),
  };
};
