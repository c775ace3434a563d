import type { KnownEvent } from '../../events/index.ts';
import { type EventReader, StoreUnavailable } from '../../events/store.ts';
import { statusEnvelope } from '../../provider/webhook/status-envelope.ts';
import { type Clock, isoTime } from '../../shared/clock.ts';
import { type Refunds, type ReservedCharge, reservationOf } from '../account/refunds.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { ChargeClaimRow, Lookups } from '../core/lookups.ts';
import type { DeadLetters } from '../inbound/dead-letters.ts';
import { Rejected } from '../inbound/rejected.ts';
import {
  type ChargeClaim,
  IdTaken,
  messageDecider,
  type SentRecord,
  type StatusRecord,
} from './message.ts';
import { mayBeRecipient } from './recipient.ts';
import { chargeTaken, type Match, recoveryDecider } from './recovery.ts';
import { sentRecordOf } from './reserve.ts';
import type { SendsUnderWay } from './sends-under-way.ts';

/** Claims of one charge that are looked at together; further ones come when these are settled. */
const CLAIMS_PAGE = 50;
/** Pages of one run; what is left waits for the next. */
const PAGES_MAX = 200;
/** Events of the stream of one message, all its statuses included. */
const MESSAGE_EVENTS_MAX = 100;

/** What the charge that a status carries means for a message without a record. */
export type Found =
  /** It carries no charge, or one that is no charge of this account and number. */
  | { kind: 'none' }
  /** The verdict has to wait: the send of that charge may still write its own record. */
  | { kind: 'early'; claim: ChargeClaim }
  /** The send of that charge is over, and no message is recorded for it. */
  | { kind: 'free'; claim: ChargeClaim };

/**
 * Brings a message whose record was lost back together with its charge. One message for a charge,
 * whatever statuses claim, because all three hold:
 *
 * - While the send of a charge may write its record, nothing is recovered: claims wait.
 * - Once it is over, whether it did is read from read models that have seen the whole log.
 * - If it did not, only the recovery can give the charge a message: the message's stream holds one
 *   claim at a time, and the charge's own stream lets one message win. The sweep asks that stream
 *   before it refunds.
 */
export const createRecoveries = (deps: {
  writer: Writer;
  store: Pick<EventReader, 'read'>;
  refunds: Refunds;
  lookups: Pick<Lookups, 'messageOfCharge' | 'chargeClaims'>;
  sends: Pick<SendsUnderWay, 'mayBeUnderWay' | 'overAfterMs'>;
  deadLetters: DeadLetters;
  clock: Clock;
  /** A claim that could not be decided for a reason of its own; the others are. */
  onFault: (chargeId: string, error: unknown) => void;
}) => {
  const { writer, store, refunds, lookups, sends, deadLetters, clock } = deps;

  const recordOf = (charge: ReservedCharge, match: Match): SentRecord => {
    const intent = { ...charge.data.intent, phoneNumberId: match.phoneNumberId };
    return { ...sentRecordOf(charge, match), intent, recovered: true };
  };

  const refundExpired = (charge: ReservedCharge, context: CommandContext): Promise<boolean> => {
    const { accountId } = charge.data;
    const on = { ...context, accountId, cause: charge.id };
    return refunds.refund(accountId, reservationOf(charge), 'expired', on);
  };

  /** Wins the charge for a message, and gives the record to be written. Throws where it has one. */
  const match = async (
    charge: ReservedCharge,
    { messageId, phoneNumberId, recipientWaId }: Omit<Match, 'chargeId' | 'accountId'>,
    context: CommandContext,
  ): Promise<SentRecord> => {
    const { accountId, chargeId } = charge.data;
    const wanted: Match = { chargeId, accountId, messageId, phoneNumberId, recipientWaId };
    const command = { type: 'Match' as const, match: wanted };
    const on = { ...context, accountId };
    const { state } = await writer.execute(recoveryDecider, chargeId, command, on);
    // A sweep that was cut short: its refund comes before the record, so that the record stays refunded.
    if (state.expired) await refundExpired(charge, context);
    // After a crash before the record the claim is still open, and the next sweep repeats both.
    await refunds.countSent(charge, on);
    return recordOf(charge, state.matched ?? wanted);
  };

  /** Writes the record of the message that has won; false where that message has another charge. */
  const record = async (sent: SentRecord, context: CommandContext): Promise<boolean> => {
    const { messageId, chargeId, accountId } = sent;
    const command = { type: 'RecordSent' as const, record: sent };
    const on = { ...context, accountId };
    try {
      await writer.execute(messageDecider, messageId, command, on);
      return true;
    } catch (error) {
      if (!(error instanceof IdTaken)) throw error;
      const release = { type: 'Release' as const, messageId };
      await writer.execute(recoveryDecider, chargeId, release, on);
      return false;
    }
  };

  /** The statuses of a claim that lost go to the dead letters; nothing else of it is left open. */
  const refuse = async ({ messageId, chargeId }: ChargeClaimRow, context: CommandContext) => {
    const events = await store.read(`message-${messageId}`, { limit: MESSAGE_EVENTS_MAX });
    const statuses = (events as KnownEvent[]).filter((event) => event.type === 'StatusUpdated');
    for (const { data } of statuses) {
      const raw = JSON.stringify(statusEnvelope(data, null));
      const place = { field: 'status', wabaId: null, phoneNumberId: data.phoneNumberId };
      await deadLetters.keep({ ...place, raw, error: chargeTaken() }, context);
    }
    const command = { type: 'RefuseClaim' as const, chargeId };
    await writer.execute(messageDecider, messageId, command, context);
  };

  /** Decides a claim. False while it has to wait. */
  const settle = async (row: ChargeClaimRow, context: CommandContext): Promise<boolean> => {
    const { messageId, chargeId } = row;
    const charge = await refunds.find(chargeId);
    const { state } = await writer.load(messageDecider, messageId);
    const { claim } = state;
    if (!charge || claim?.chargeId !== chargeId) return true;
    if (await sends.mayBeUnderWay(charge.data)) return false;
    const known = await lookups.messageOfCharge(charge.data.accountId, chargeId);
    if (known === null) return false;
    try {
      if (known !== undefined && known !== messageId) throw chargeTaken();
      await record(await match(charge, claim, context), context);
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      await refuse(row, context);
    }
    return true;
  };

  return {
    settle,

    /** Looks whose charge a status of a message without a record carries. Throws where it has one. */
    async find(update: StatusRecord): Promise<Found> {
      const { chargeId, messageId, phoneNumberId, recipientWaId } = update;
      const charge = chargeId === null ? undefined : await refunds.find(chargeId);
      if (!charge || chargeId === null) return { kind: 'none' };
      const { accountId, intent, at } = charge.data;
      // The number may have moved since: a charge that names its number is of that number for good.
      const isOfSender =
        intent.phoneNumberId === null
          ? accountId === update.accountId
          : intent.phoneNumberId === phoneNumberId;
      const isOwn = isOfSender && mayBeRecipient(recipientWaId, intent.to);
      // In this order: what is asked of the read models is then all that the send can have done.
      const isUnderWay = await sends.mayBeUnderWay(charge.data);
      const known = await lookups.messageOfCharge(accountId, chargeId);
      if (known && known !== messageId) throw chargeTaken();
      if (!isOwn || known === messageId) return { kind: 'none' };
      const claimed = { messageId, chargeId, accountId, phoneNumberId, recipientWaId };
      const kind = isUnderWay || known === null ? 'early' : 'free';
      return { kind, claim: { ...claimed, reservedAt: at } };
    },

    /**
     * What is to become of a reservation that stays open: true when it is to be refunded, false
     * when a message has it or its send may still be under way.
     */
    async expire(charge: ReservedCharge, context: CommandContext): Promise<boolean> {
      const { accountId, chargeId } = charge.data;
      if (await sends.mayBeUnderWay(charge.data)) return false;
      // The send may have ended with its record since the reservation was seen open.
      if ((await lookups.messageOfCharge(accountId, chargeId)) !== undefined) return false;
      const claims = await lookups.chargeClaims({ chargeId, limit: CLAIMS_PAGE });
      for (const claim of claims) if (!(await settle(claim, context))) return false;
      const command = { type: 'Expire' as const, chargeId, accountId };
      const on = { ...context, accountId };
      const { state } = await writer.execute(recoveryDecider, chargeId, command, on);
      if (!state.matched) return true;
      // Where the message has another charge after all, the next sweep takes this one back.
      await record(recordOf(charge, state.matched), context);
      return false;
    },

    /** Decides every claim whose charge can no longer be under way. */
    async settleClaims(context: CommandContext, signal?: AbortSignal): Promise<void> {
      const reservedBefore = isoTime(clock.now() - sends.overAfterMs + 1);
      let reservedAfter = '';
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const wanted = { reservedAfter, reservedBefore, limit: CLAIMS_PAGE };
        const claims = await lookups.chargeClaims(wanted);
        for (const claim of claims) {
          if (signal?.aborted) return;
          await settle(claim, context).catch((error) => {
            if (error instanceof StoreUnavailable) throw error;
            deps.onFault(claim.chargeId, error);
          });
        }
        if (claims.length < CLAIMS_PAGE) return;
        reservedAfter = claims.at(-1)!.reservedAt;
      }
    },
  };
};

export type Recoveries = ReturnType<typeof createRecoveries>;
