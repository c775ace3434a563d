import type { FactOf } from '../events/define.ts';
import { type MessageFact, MessageSent, StatusUpdated, statusRank } from '../events/message.ts';
import type { Decider } from './decider.ts';
import { billedCategory } from './template-category.ts';

export type SentRecord = FactOf<typeof MessageSent>['data'];
export type StatusRecord = FactOf<typeof StatusUpdated>['data'];

export interface MessageState {
  sent: SentRecord | null;
  /** Every word of delivery that has been recorded. */
  seen: readonly string[];
  /** The highest of them by rank; null before the first. */
  status: string | null;
  /** Whether the status in force is `failed` and it came before any proof of delivery. */
  failed: boolean;
  /** The first category that the provider named in a status, and the status that named it. */
  billed: { category: NonNullable<ReturnType<typeof billedCategory>>; status: string } | null;
}

export type MessageCommand =
  | { type: 'RecordSent'; record: SentRecord }
  | {
      type: 'RecordStatus';
      update: StatusRecord;
      /** The record of the send, where it was lost and has been put together again. */
      recovered?: SentRecord | undefined;
      /** Refuses as Unrecorded where there is no record of the send. */
      needsRecord?: boolean;
    };

/** The message has no record of its send: whoever asked is to look for it first. */
export class Unrecorded extends Error {
  constructor(messageId: string) {
    super(`the send of ${messageId} is not recorded`);
    this.name = 'Unrecorded';
  }
}

/** One message, named by the provider's id. Updates may come doubled, late, or before the send. */
export const messageDecider: Decider<MessageState, MessageCommand, MessageFact> = {
  category: 'message',
  initial: { sent: null, seen: [], status: null, failed: false, billed: null },
  evolve(state, fact) {
    switch (fact.type) {
      case 'MessageSent':
        return { ...state, sent: fact.data };
      case 'StatusUpdated': {
        const { status, pricing } = fact.data;
        const category = billedCategory(pricing);
        const higher = statusRank(status) > statusRank(state.status);
        return {
          ...state,
          seen: [...state.seen, status],
          status: higher ? status : state.status,
          failed: higher ? status === 'failed' : state.failed,
          billed: state.billed ?? (category === undefined ? null : { category, status }),
        };
      }
    }
  },
  decide(command, state) {
    const facts: MessageFact[] = [];
    if (command.type === 'RecordStatus' && command.needsRecord && !state.sent) {
      throw new Unrecorded(command.update.messageId);
    }
    const record = command.type === 'RecordSent' ? command.record : command.recovered;
    if (record && !state.sent) facts.push(MessageSent.of(record));
    if (command.type === 'RecordStatus' && !state.seen.includes(command.update.status)) {
      facts.push(StatusUpdated.of(command.update));
    }
    return facts;
  },
};
