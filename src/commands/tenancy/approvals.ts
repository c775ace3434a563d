import {
  type ApprovalFact,
  ApprovalGiven,
  ApprovalRejected,
  ApprovalRequested,
} from '../../events/approval.ts';
import type { FactOf } from '../../events/define.ts';
import { type Clock, type Ids, isoTime, sortedId } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Subjects } from '../contacts/subjects.ts';
import type { CommandContext, Decider } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';

/** For so long a request waits for another's yes. */
const WAIT_MS = 24 * 3_600_000;

export type ApprovalRequest = FactOf<typeof ApprovalRequested>['data'];

interface ApprovalState {
  request: ApprovalRequest | null;
  state: 'waiting' | 'approved' | 'rejected';
}

type ApprovalCommand =
  | { type: 'Request'; request: ApprovalRequest }
  /** By whom, and when, in ms. */
  | { type: 'Approve' | 'Reject'; approvalId: string; by: string; now: number };

const isOver = ({ expiresAt }: ApprovalRequest, now: number): boolean =>
  Date.parse(expiresAt) <= now;

const approvalDecider: Decider<ApprovalState, ApprovalCommand, ApprovalFact> = {
  category: 'approval',
  initial: { request: null, state: 'waiting' },
  evolve(state, fact) {
    switch (fact.type) {
      case 'ApprovalRequested':
        return { ...state, request: fact.data };
      case 'ApprovalGiven':
        return { ...state, state: 'approved' };
      case 'ApprovalRejected':
        return { ...state, state: 'rejected' };
    }
  },
  decide(command, { request, state }) {
    if (command.type === 'Request') return request ? [] : [ApprovalRequested.of(command.request)];
    if (!request) throw new AppError('resource.unknown', 'Approval not found');
    const { approvalId, by, now } = command;
    if (command.type === 'Reject') {
      if (state === 'rejected') return [];
      if (state === 'approved') throw new AppError('approval.settled', 'It was approved already');
      return [ApprovalRejected.of({ approvalId })];
    }
    if (by === request.requestedBy.id) {
      throw new AppError('approval.own', 'Another person must approve this');
    }
    if (state === 'rejected') throw new AppError('approval.settled', 'It was rejected already');
    // Also one that was approved: the key under which it was carried out is not kept for good.
    if (isOver(request, now)) throw new AppError('approval.settled', 'It is over');
    // Again, where what follows did not come to its end.
    return state === 'approved' ? [] : [ApprovalGiven.of({ approvalId })];
  },
};

interface Deps {
  writer: Writer;
  subjects: Pick<Subjects, 'of'>;
  clock: Clock;
  ids: Ids;
}

/** What waits for the yes of another person. */
export const createApprovals = ({ writer, subjects, clock, ids }: Deps) => ({
  async request(
    wanted: Omit<ApprovalRequest, 'approvalId' | 'expiresAt' | 'contactRef'>,
    context: CommandContext,
  ): Promise<string> {
    // A run that continues an interrupted one makes no second approval.
    const approvalId = sortedId('apr', ids, context.claim);
    const { contact } = wanted;
    // The erasure destroys this key with the others of the contact.
    const subject = contact ? await subjects.of(wanted.accountId ?? '', contact) : undefined;
    const expiresAt = isoTime(clock.now() + WAIT_MS);
    const request: ApprovalRequest = { ...wanted, approvalId, expiresAt };
    if (subject) request.contactRef = subject.ref;
    const on = subject ? { ...context, subjects: [subject] } : context;
    await writer.execute(approvalDecider, approvalId, { type: 'Request', request }, on);
    return approvalId;
  },
  /** Resolves to what was asked for, which may now be done. */
  async approve(approvalId: string, context: CommandContext): Promise<ApprovalRequest> {
    const command = { approvalId, by: context.by!.id, now: clock.now() };
    const { state } = await writer.execute(
      approvalDecider,
      approvalId,
      { type: 'Approve', ...command },
      context,
    );
    return state.request!;
  },
  async reject(approvalId: string, context: CommandContext): Promise<void> {
    const command = { approvalId, by: context.by!.id, now: clock.now() };
    await writer.execute(approvalDecider, approvalId, { type: 'Reject', ...command }, context);
  },
});

export type Approvals = ReturnType<typeof createApprovals>;
