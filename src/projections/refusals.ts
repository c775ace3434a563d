import type { Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

/** Sends of an account that were refused before a charge in one minute, under one code. */
interface RefusalsDocument {
  id: string;
  accountId: string;
  code: string;
  /** Its beginning, ISO 8601. */
  minute: string;
  count: number;
  firstRequestId: string;
  lastRequestId: string;
  /** The last recipient; null where none is known, and once erased. */
  to: string | null;
  contactRef: string | null;
  sealedMonth: string | null;
  order: Position;
}

/** Several instances write one event each for a minute. */
export const refusals = defineProjection<RefusalsDocument>({
  name: 'refusals',
  version: 2,
  indexes: [
    ['accountId', '-order'],
    ['-order'],
    ['contactRef?', 'sealedMonth?'],
    ['accountId', 'sealedMonth?'],
  ],
  filters: ['code', 'minute', 'firstRequestId', 'lastRequestId'],
  words: ['accountId', 'code'],
  erase: { by: 'contactRef', document: (one) => ({ ...one, to: null, sealedMonth: null }) },
  on: {
    SendsRefused: {
      key: ({ data: { accountId, minute, code } }) => `${accountId}.${minute}.${code}`,
      fold(known, { data, position, sealedMonth }, id) {
        const { accountId, code, minute, count, firstRequestId, lastRequestId } = data;
        return {
          id,
          accountId,
          code,
          minute,
          count: (known?.count ?? 0) + count,
          firstRequestId: known?.firstRequestId ?? firstRequestId,
          lastRequestId,
          to: data.to,
          contactRef: data.contactRef,
          sealedMonth: data.to === null ? null : (sealedMonth ?? null),
          order: position,
        };
      },
    },
  },
});
