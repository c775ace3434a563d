import type { ErasureFact, Found } from '../events/erasure.ts';
import type { Actor, Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

/** An erasure of a contact with its state. It names no contact. */
export interface ErasureDocument {
  id: string;
  state: 'queued' | 'running' | 'done';
  /** The account that was named; null for all accounts. */
  accountId: string | null;
  reason: string | null;
  requestedAt: string;
  requestedBy: Actor | null;
  doneAt: string | null;
  /** What was held of the contact; null until it is counted. */
  found: Found | null;
  order: Position;
}

const erasureId = ({ data }: { data: Pick<ErasureFact['data'], 'erasureId'> }) => data.erasureId;

export const erasures = defineProjection<ErasureDocument>({
  name: 'erasures',
  version: 2,
  indexes: [['-order'], ['state', '-order']],
  words: ['state'],
  on: {
    ErasureRequested: {
      key: erasureId,
      fold: (_, { data, meta, position }) => ({
        id: data.erasureId,
        state: 'queued',
        accountId: data.accountId,
        reason: data.reason,
        requestedAt: meta.at,
        requestedBy: meta.by ?? null,
        doneAt: null,
        found: null,
        order: position,
      }),
    },
    ErasureStarted: {
      key: erasureId,
      fold: (erasure, { data: { found } }) => erasure && { ...erasure, state: 'running', found },
    },
    ErasureDone: {
      key: erasureId,
      fold: (erasure, { data: { found }, meta }) =>
        erasure && { ...erasure, state: 'done', found, doneAt: meta.at },
    },
  },
});

/** The months of an account whose personal data are erased. */
interface ExpirationDocument {
  id: string;
  /** The last one. */
  through: string;
}

export const expirations = defineProjection<ExpirationDocument>({
  name: 'expirations',
  version: 1,
  indexes: [],
  on: {
    MonthsExpired: {
      // Items of no account have none.
      key: ({ data }) => (data.accountId === '' ? [] : data.accountId),
      fold: (_, { data: { accountId, through } }) => ({ id: accountId, through }),
    },
  },
});
