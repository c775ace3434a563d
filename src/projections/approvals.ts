import type { ApprovalFact } from '../events/approval.ts';
import type { Actor, Position } from '../events/store.ts';
import { defineProjection } from './define.ts';

type Requested = Extract<ApprovalFact, { type: 'ApprovalRequested' }>['data'];

/** What waits, or waited, for the yes of another person. It never names a contact. */
export interface ApprovalDocument
  extends Pick<
    Requested,
    'operation' | 'organisationId' | 'accountId' | 'route' | 'body' | 'requestedBy' | 'expiresAt'
  > {
  id: string;
  state: 'waiting' | 'approved' | 'rejected';
  decidedBy: Actor | null;
  createdAt: string;
  order: Position;
}

const approvalId = (event: { data: { approvalId: string } }) => event.data.approvalId;

export const approvals = defineProjection<ApprovalDocument>({
  name: 'approvals',
  version: 2,
  indexes: [['state', '-order'], ['-order']],
  words: ['state'],
  on: {
    ApprovalRequested: {
      key: approvalId,
      fold: (_, { data, meta, position }, id) => ({
        id,
        operation: data.operation,
        organisationId: data.organisationId,
        accountId: data.accountId,
        route: data.route,
        body: data.body,
        requestedBy: data.requestedBy,
        expiresAt: data.expiresAt,
        state: 'waiting',
        decidedBy: null,
        createdAt: meta.at,
        order: position,
      }),
    },
    ApprovalGiven: {
      key: approvalId,
      fold: (one, { meta }) => one && { ...one, state: 'approved', decidedBy: meta.by ?? null },
    },
    ApprovalRejected: {
      key: approvalId,
      fold: (one, { meta }) => one && { ...one, state: 'rejected', decidedBy: meta.by ?? null },
    },
  },
});
