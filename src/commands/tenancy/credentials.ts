import type { FactOf } from '../../events/define.ts';
import {
  AdministratorCreated,
  type AdministratorFact,
  AdministratorRehashed,
  AdministratorRevoked,
  ApiKeyCreated,
  type ApiKeyFact,
  ApiKeyRehashed,
  ApiKeyStateChanged,
  ApiKeyUsed,
} from '../../events/directory.ts';
import {
  SessionEnded,
  type SessionFact,
  SessionStarted,
  SessionsExpired,
} from '../../events/session.ts';
import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { CommandContext, Decider } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';

/** Requests in 60 seconds, for a key that names no other limit (contract 8). */
const DEFAULT_RATE_LIMIT = 120;

export type ApiKeyTerms = FactOf<typeof ApiKeyCreated>['data'];

type KeyState = 'active' | 'inactive' | 'revoked';

interface ApiKeyState {
  state: 'none' | KeyState;
  usedAt: string | null;
}

type ApiKeyCommand =
  | { type: 'Create'; terms: ApiKeyTerms }
  | { type: 'SetState'; keyId: string; state: KeyState }
  | { type: 'Rehash'; keyId: string; secretHash: string }
  | { type: 'NoteUse'; keyId: string; usedAt: string };

export const apiKeyDecider: Decider<ApiKeyState, ApiKeyCommand, ApiKeyFact> = {
  category: 'apikey',
  initial: { state: 'none', usedAt: null },
  evolve(state, fact) {
    switch (fact.type) {
      case 'ApiKeyCreated':
        return { ...state, state: 'active' };
      case 'ApiKeyStateChanged':
        return { ...state, state: fact.data.state };
      case 'ApiKeyUsed':
        return { ...state, usedAt: fact.data.usedAt };
      case 'ApiKeyRehashed':
        return state;
    }
  },
  decide(command, state) {
    if (command.type === 'Create') {
      if (state.state !== 'none') throw new AppError('resource.conflict', 'The key exists already');
      return [ApiKeyCreated.of(command.terms)];
    }
    if (state.state === 'none') throw new AppError('resource.unknown', 'Key not found');
    if (command.type === 'Rehash') return [ApiKeyRehashed.of(command)];
    if (command.type === 'NoteUse') {
      const later = state.usedAt === null || command.usedAt > state.usedAt;
      return later ? [ApiKeyUsed.of(command)] : [];
    }
    if (state.state === command.state) return [];
    if (state.state === 'revoked') throw new AppError('key.revoked', 'A revoked key stays revoked');
    return [ApiKeyStateChanged.of(command)];
  },
};

interface KeyRequest {
  accountId: string;
  name: string;
  allowedOrigins?: readonly string[] | undefined;
  rateLimit?: number | undefined;
  expiresAt?: string | undefined;
  scopes?: readonly string[] | undefined;
  opaqueIsIdempotent?: boolean | undefined;
}

type Hashed = Pick<ApiKeyTerms, 'keyId' | 'secretHash'>;

export const createApiKeys = (deps: {
  writer: Writer;
  lookups: Pick<Lookups, 'account'>;
  secrets: Secrets;
  ids: Ids;
  /** The middle of the keys that it makes: `test` where no message reaches a person. */
  keyKind?: 'live' | 'test';
}) => ({
  /** Only this result holds the whole key. */
  async createKey(
    request: KeyRequest,
    context: CommandContext,
  ): Promise<{ terms: ApiKeyTerms; key: string }> {
    const owner = await deps.lookups.account(request.accountId);
    if (!owner) throw new AppError('resource.unknown', 'Account not found');
    const handle = deps.ids.secret(8);
    const prefix = `wb_${deps.keyKind ?? 'live'}_${handle}`;
    const key = `${prefix}_${deps.ids.secret(32)}`;
    const terms: ApiKeyTerms = {
      keyId: `key_${handle}`,
      accountId: owner.id,
      organisationId: owner.organisationId,
      name: request.name,
      prefix,
      secretHash: deps.secrets.hashToken(key),
      allowedOrigins: request.allowedOrigins ? [...request.allowedOrigins] : null,
      rateLimit: request.rateLimit ?? DEFAULT_RATE_LIMIT,
      expiresAt: request.expiresAt ?? null,
      scopes: request.scopes ? [...request.scopes] : null,
      ...(request.opaqueIsIdempotent && { opaqueIsIdempotent: true }),
    };
    const on = { ...context, accountId: owner.id };
    await deps.writer.execute(apiKeyDecider, terms.keyId, { type: 'Create', terms }, on);
    return { terms, key };
  },

  async setKeyState(keyId: string, state: KeyState, context: CommandContext): Promise<void> {
    await deps.writer.execute(apiKeyDecider, keyId, { type: 'SetState', keyId, state }, context);
  },

  /** Hashes a key under the newest key of the installation. Resolves to whether it was not. */
  async rehashKey({ keyId, secretHash: before }: Hashed, context: CommandContext) {
    const secretHash = deps.secrets.hashedAnew(before);
    if (secretHash === before) return false;
    await deps.writer.execute(apiKeyDecider, keyId, { type: 'Rehash', keyId, secretHash }, context);
    return true;
  },

  /** Records that a key is in use. */
  async noteKeyUse(keyId: string, at: number, context: CommandContext): Promise<void> {
    const command = { type: 'NoteUse' as const, keyId, usedAt: isoTime(at) };
    await deps.writer.execute(apiKeyDecider, keyId, command, context);
  },
});

type AdministratorTerms = FactOf<typeof AdministratorCreated>['data'];

type AdministratorCommand =
  | { type: 'Create'; terms: AdministratorTerms }
  | { type: 'Rehash'; administratorId: string; secretHash: string }
  | { type: 'Revoke'; administratorId: string };

export const administratorDecider: Decider<
  'none' | 'active' | 'revoked',
  AdministratorCommand,
  AdministratorFact
> = {
  category: 'administrator',
  initial: 'none',
  evolve(state, fact) {
    switch (fact.type) {
      case 'AdministratorCreated':
        return 'active';
      case 'AdministratorRevoked':
        return 'revoked';
      case 'AdministratorRehashed':
        return state;
    }
  },
  decide(command, state) {
    if (command.type === 'Create') {
      if (state !== 'none') {
        throw new AppError('resource.conflict', 'The administrator exists already');
      }
      return [AdministratorCreated.of(command.terms)];
    }
    if (state === 'none') throw new AppError('resource.unknown', 'Administrator not found');
    if (command.type === 'Rehash') return [AdministratorRehashed.of(command)];
    return state === 'active' ? [AdministratorRevoked.of(command)] : [];
  },
};

export const createAdministrators = (deps: { writer: Writer; secrets: Secrets; ids: Ids }) => ({
  /** Only this result holds the whole token. */
  async createAdministrator(
    request: Pick<AdministratorTerms, 'name' | 'email' | 'role'>,
    context: CommandContext,
  ): Promise<{ terms: AdministratorTerms; token: string }> {
    const handle = deps.ids.secret(8);
    const token = `wb_adm_${handle}_${deps.ids.secret(32)}`;
    const terms = {
      administratorId: `adm_${handle}`,
      ...request,
      prefix: `wb_adm_${handle}`,
      secretHash: deps.secrets.hashToken(token),
    };
    const command = { type: 'Create' as const, terms };
    await deps.writer.execute(administratorDecider, terms.administratorId, command, context);
    return { terms, token };
  },

  /** As of a key. */
  async rehashAdministrator(
    {
      administratorId,
      secretHash: before,
    }: Pick<AdministratorTerms, 'administratorId' | 'secretHash'>,
    context: CommandContext,
  ) {
    const secretHash = deps.secrets.hashedAnew(before);
    if (secretHash === before) return false;
    const command = { type: 'Rehash' as const, administratorId, secretHash };
    await deps.writer.execute(administratorDecider, administratorId, command, context);
    return true;
  },

  async revokeAdministrator(administratorId: string, context: CommandContext): Promise<void> {
    const command = { type: 'Revoke' as const, administratorId };
    await deps.writer.execute(administratorDecider, administratorId, command, context);
  },
});

/** A session ends after this, used or not. */
export const SESSION_MS = 8 * 3_600_000;
/** Expired sessions that one event names, and events of one run; the next run takes the rest. */
const EXPIRED_MAX = 1000;
const RUNS_MAX = 100;

type Start = FactOf<typeof SessionStarted>['data'];

type SessionCommand =
  | { type: 'Start'; start: Start }
  | { type: 'End'; sessionId: string }
  | { type: 'Expire'; sessionIds: readonly string[] };

/** A session starts once, so a second use of a link is refused; and it ends once. */
const sessionDecider: Decider<'none' | 'started' | 'ended', SessionCommand, SessionFact> = {
  category: 'session',
  initial: 'none',
  evolve: (_, fact) => (fact.type === 'SessionStarted' ? 'started' : 'ended'),
  decide(command, state) {
    if (command.type === 'Start') {
      if (state !== 'none') {
        throw new AppError('session.link', 'This link was used already, or has expired');
      }
      return [SessionStarted.of(command.start)];
    }
    if (state !== 'started') return [];
    return command.type === 'End'
      ? [SessionEnded.of(command)]
      : [SessionsExpired.of({ sessionIds: [...command.sessionIds] })];
  },
};

export interface SessionCommandsDeps {
  writer: Writer;
  /** Ids of open sessions, the oldest first, of those that started up to a time. */
  sessionsUpTo: (startedAt: string, limit: number) => Promise<readonly string[]>;
  clock: Clock;
  ids: Ids;
}

export const createSessionCommands = (deps: SessionCommandsDeps) => {
  const { writer, sessionsUpTo, clock, ids } = deps;
  return {
    /** Throws `session.link` for the id of a session that has started before. */
    async startSession(start: Start, context: CommandContext): Promise<void> {
      await writer.execute(sessionDecider, start.sessionId, { type: 'Start', start }, context);
    },

    async endSession(sessionId: string, context: CommandContext): Promise<void> {
      await writer.execute(sessionDecider, sessionId, { type: 'End', sessionId }, context);
    },

    /** Takes the expired sessions out of the read models. */
    async expireSessions(): Promise<void> {
      const upTo = isoTime(clock.now() - SESSION_MS);
      for (let run = 0; run < RUNS_MAX; run += 1) {
        const sessionIds = await sessionsUpTo(upTo, EXPIRED_MAX);
        const [first] = sessionIds;
        if (first === undefined) return;
        const context = { requestId: ids.uuid(), cause: 'expiry' };
        await writer.execute(sessionDecider, first, { type: 'Expire', sessionIds }, context);
      }
    },
  };
};
