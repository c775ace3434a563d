import type { ApiKeyFact } from '../events/directory.ts';
import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

type Created = Extract<ApiKeyFact, { type: 'ApiKeyCreated' }>['data'];
type State = Extract<ApiKeyFact, { type: 'ApiKeyStateChanged' }>['data']['state'];

export interface KeyDocument extends Created {
  state: State;
  lastUsedAt: string | null;
  createdAt: string;
  order: Position;
}

const keyId = (event: { data: { keyId: string } }) => event.data.keyId;

export const keys = defineProjection<KeyDocument>({
  name: 'keys',
  version: 2,
  indexes: [['accountId', '-order'], ['prefix']],
  words: ['accountId'],
  on: {
    ApiKeyCreated: {
      key: keyId,
      fold: (_, { data, meta, position }) => ({
        ...data,
        state: 'active',
        lastUsedAt: null,
        createdAt: meta.at,
        order: position,
      }),
    },
    ApiKeyStateChanged: {
      key: keyId,
      fold: (key, { data }) => key && { ...key, state: data.state },
    },
    ApiKeyRehashed: {
      key: keyId,
      fold: (key, { data }) => key && { ...key, secretHash: data.secretHash },
    },
    ApiKeyUsed: {
      key: keyId,
      fold: (key, { data: { usedAt } }) =>
        key && usedAt > (key.lastUsedAt ?? '') ? { ...key, lastUsedAt: usedAt } : key,
    },
  },
});
