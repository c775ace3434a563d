import type { FactOf } from '../../events/define.ts';
import {
  ApiKeyCreated,
  type ApiKeyFact,
  ApiKeyStateChanged,
  ApiKeyUsed,
} from '../../events/directory.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';

export type ApiKeyTerms = FactOf<typeof ApiKeyCreated>['data'];

export interface ApiKeyState {
  state: 'none' | 'active' | 'inactive' | 'revoked';
  usedAt: string | null;
}

export type ApiKeyCommand =
  | { type: 'Create'; terms: ApiKeyTerms }
  | { type: 'SetState'; keyId: string; state: 'active' | 'inactive' | 'revoked' }
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
      return later ? [ApiKeyUsed.of({ keyId: command.keyId, usedAt: command.usedAt })] : [];
    }
    if (state.state === command.state) return [];
    if (state.state === 'revoked') throw new AppError('key.revoked', 'A revoked key stays revoked');
    return [ApiKeyStateChanged.of({ keyId: command.keyId, state: command.state })];
  },
};
