import type { FactOf } from '../../events/define.ts';
import {
  ApiKeyCreated,
  type ApiKeyFact,
  ApiKeyStateChanged,
  ApiKeyUsed,
} from '../../events/directory.ts';
import { type Ids, isoTime } from '../../shared/clock.ts';
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
    }
  },
  decide(command, state) {
    if (command.type === 'Create') {
      if (state.state !== 'none') throw new AppError('resource.conflict', 'The key exists already');
      return [ApiKeyCreated.of(command.terms)];
    }
    if (state.state === 'none') throw new AppError('resource.unknown', 'Key not found');
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
}

export const createApiKeys = (deps: {
  writer: Writer;
  lookups: Pick<Lookups, 'account'>;
  secrets: Secrets;
  ids: Ids;
}) => ({
  /** Only this result holds the whole key. */
  async createKey(
    request: KeyRequest,
    context: CommandContext,
  ): Promise<{ terms: ApiKeyTerms; key: string }> {
    const owner = await deps.lookups.account(request.accountId);
    if (!owner) throw new AppError('resource.unknown', 'Account not found');
    const handle = deps.ids.secret(8);
    const key = `wb_live_${handle}_${deps.ids.secret(32)}`;
    const terms: ApiKeyTerms = {
      keyId: `key_${handle}`,
      accountId: owner.id,
      organisationId: owner.organisationId,
      name: request.name,
      prefix: `wb_live_${handle}`,
      secretHash: deps.secrets.hashToken(key),
      allowedOrigins: request.allowedOrigins ? [...request.allowedOrigins] : null,
      rateLimit: request.rateLimit ?? DEFAULT_RATE_LIMIT,
      expiresAt: request.expiresAt ?? null,
      scopes: request.scopes ? [...request.scopes] : null,
    };
    const on = { ...context, accountId: owner.id };
    await deps.writer.execute(apiKeyDecider, terms.keyId, { type: 'Create', terms }, on);
    return { terms, key };
  },

  async setKeyState(keyId: string, state: KeyState, context: CommandContext): Promise<void> {
    await deps.writer.execute(apiKeyDecider, keyId, { type: 'SetState', keyId, state }, context);
  },

  /** Records that a key is in use. */
  async noteKeyUse(keyId: string, at: number, context: CommandContext): Promise<void> {
    const command = { type: 'NoteUse' as const, keyId, usedAt: isoTime(at) };
    await deps.writer.execute(apiKeyDecider, keyId, command, context);
  },
});
