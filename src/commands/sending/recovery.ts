import { wasTaken } from '../../events/account.ts';
import type { ReservedCharge } from '../../events/completed.ts';
import type { FactOf } from '../../events/define.ts';
import type { KnownEvent } from '../../events/index.ts';
import type { DataSubject } from '../../events/personal.ts';
import {
  ChargeExpired,
  ChargeMatched,
  ChargeReleased,
  type RecoveryFact,
} from '../../events/recovery.ts';
import { type EventReader, StoreUnavailable } from '../../events/store.ts';
import { inAccount, messageStream } from '../../events/streams.ts';
import { statusEnvelope } from '../../provider/webhook/status-envelope.ts';
import { type Refunds, reservationOf } from '../account/refunds.ts';
import type { Contacts } from '../contacts/contacts.ts';
import { type Subjects, subjectOf } from '../contacts/subjects.ts';
import type { CommandContext, Decider } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { ChargeClaimRow, Lookups } from '../core/lookups.ts';
import type { DeadLetters } from '../inbound/dead-letters.ts';
import { Rejected } from '../inbound/rejected.ts';
import { messageDecider } from './message.ts';
import {
  type ChargeClaim,
  IdTaken,
  type StatusRecord,
  type StatusUpdate,
  shownIn,
} from './message-statuses.ts';
import { mayBeRecipient, type ShownRecipient } from './recipient.ts';
import { type RecordedContactDeps, recordedContact, sentRecordOf } from './record.ts';
import type { SendsUnderWay } from './sends-under-way.ts';

export type Match = FactOf<typeof ChargeMatched>['data'];

interface RecoveryState {
  /** The message that won the charge. */
  matched: Match | null;
  /** Whether the sweep has expired the charge. */
  expired: boolean;
}

type RecoveryCommand =
  | { type: 'Match'; match: Match }
  /** The message cannot have the charge after all. */
  | { type: 'Release'; messageRef: string }
  /** Changes nothing when a message has won the charge. */
  | { type: 'Expire'; chargeId: string; accountId: string };

const chargeTaken = (): Rejected =>
  new Rejected('charge_taken', 'the charge that the status carries has a message already');

const evolve = (state: RecoveryState, fact: RecoveryFact): RecoveryState => {
  switch (fact.type) {
    case 'ChargeMatched':
      return { ...state, matched: fact.data };
    case 'ChargeReleased':
      return { ...state, matched: null };
    case 'ChargeExpired':
      return { ...state, expired: true };
  }
};

/** The charge of an interrupted send: at most one message wins it. */
export const recoveryDecider: Decider<RecoveryState, RecoveryCommand, RecoveryFact> = {
  category: 'recovery',
  initial: { matched: null, expired: false },
  evolve,
  decide(command, { matched, expired }) {
    switch (command.type) {
      case 'Expire': {
        const { chargeId, accountId } = command;
        return matched || expired ? [] : [ChargeExpired.of({ chargeId, accountId })];
      }
      case 'Release': {
        if (matched?.messageRef !== command.messageRef) return [];
        const { chargeId, accountId, messageRef } = matched;
        return [ChargeReleased.of({ chargeId, accountId, messageRef })];
      }
      case 'Match':
        if (!matched) return [ChargeMatched.of(command.match)];
        if (matched.messageRef === command.match.messageRef) return [];
        throw chargeTaken();
    }
  },
};

const recoveryId = ({ data }: ReservedCharge) => inAccount(data.accountId, data.chargeId);

/** Events in the stream of one message, all its statuses included. */
const MESSAGE_EVENTS_MAX = 100;

export interface SettlingDeps extends RecordedContactDeps {
  writer: Writer;
  store: Pick<EventReader, 'read'>;
  refunds: Refunds;
  lookups: Pick<Lookups, 'messageOfCharge' | 'refundCauseOf'>;
  sends: Pick<SendsUnderWay, 'mayBeUnderWay'>;
  deadLetters: Pick<DeadLetters, 'keep'>;
  contacts: Pick<Contacts, 'find' | 'meet'>;
}

/**
 * Whether the send of a charge may still write its record. It has given up where its charge was
 * given back, except to a caller who hung up: then the record may follow.
 */
export const mayBeUnderWay = async (
  { sends, lookups }: Pick<SettlingDeps, 'sends' | 'lookups'>,
  { data }: ReservedCharge,
): Promise<boolean> => {
  if (!(await sends.mayBeUnderWay(data))) return false;
  const cause = await lookups.refundCauseOf(data.chargeId);
  return cause === undefined || wasTaken(cause);
};

/** Wins the charge for the message of a claim. Throws where another message has won it. */
const match = async (
  { writer, refunds, subjects }: SettlingDeps,
  charge: ReservedCharge,
  chargeClaim: ChargeClaim,
  context: CommandContext,
): Promise<Match> => {
  const { accountId, chargeId } = charge.data;
  const { reservedAt: _, ...claimed } = chargeClaim;
  const on = { ...context, accountId };
  const subject = await subjectOf(subjects, accountId, chargeClaim.contactRef);
  // Of an erased contact the ids are gone, and the message still has the charge.
  const told = subject ? claimed : { ...claimed, messageId: null, recipient: null };
  const wanted: Match = { ...told, chargeId, accountId };
  const command = { type: 'Match' as const, match: wanted };
  const sealing = { ...on, subjects: subject ? [subject] : [] };
  const { state } = await writer.execute(recoveryDecider, recoveryId(charge), command, sealing);
  // The refund of an interrupted sweep comes before the record, so that the record stays refunded.
  if (state.expired) {
    const cause = { ...on, cause: charge.id };
    await refunds.refund(accountId, reservationOf(charge), 'expired', cause);
  }
  // After a crash before the record the claim is still open, and the next sweep repeats both.
  await refunds.countSent(charge, on);
  return state.matched ?? wanted;
};

/** Records the message that won the charge; releases the charge where the id is another message's. */
export const recordMatched = async (
  deps: RecordedContactDeps & Pick<SettlingDeps, 'writer'>,
  charge: ReservedCharge,
  matched: Match,
  context: CommandContext,
): Promise<void> => {
  const { writer } = deps;
  const { messageRef, messageId, phoneNumberId, recipient } = matched;
  const { accountId, outline } = charge.data;
  const on = { ...context, accountId };
  const data = { ...charge.data, outline: { ...outline, phoneNumberId } };
  const { waId = null, userId: recipientUserId } = recipient ?? {};
  const shown = { messageRef, messageId, recipientWaId: waId, recipientUserId };
  const contact = await recordedContact(deps, data, shown, on);
  const record = { ...sentRecordOf({ data }, shown, contact), recovered: true as const };
  const sealing = { ...on, subjects: contact.subjects };
  try {
    const id = inAccount(accountId, messageRef);
    await writer.execute(messageDecider, id, { type: 'RecordSent', record }, sealing);
  } catch (error) {
    if (!(error instanceof IdTaken)) throw error;
    const release = { type: 'Release' as const, messageRef };
    await writer.execute(recoveryDecider, recoveryId(charge), release, on);
  }
};

/** An early status as the provider told it, without what is erased of it. */
const toldBy = ({ recipient, chargeId, errorCode, pricing, ...status }: StatusRecord) => ({
  ...status,
  recipientWaId: recipient?.waId ?? null,
  recipientUserId: recipient?.userId,
  chargeId: chargeId ?? null,
  errorCode: errorCode ?? null,
  pricing: typeof pricing === 'object' ? pricing : null,
});

/** Moves the statuses of a message to the dead letters. */
const keepStatuses = async (
  { store, deadLetters }: SettlingDeps,
  { accountId, messageRef }: ChargeClaim,
  messageId: string,
  context: CommandContext,
): Promise<void> => {
  const events = await store.read(messageStream(accountId, messageRef), {
    limit: MESSAGE_EVENTS_MAX,
  });
  const statuses = (events as KnownEvent[]).filter((event) => event.type === 'StatusUpdated');
  for (const { data } of statuses) {
    const raw = JSON.stringify(statusEnvelope({ ...toldBy(data), messageId }, null));
    const place = { field: 'status', wabaId: null, phoneNumberId: data.phoneNumberId };
    await deadLetters.keep({ ...place, raw, error: chargeTaken() }, context);
  }
};

/**
 * Refuses a claim that lost. The statuses of an erased contact name no message, so that nothing could
 * take them in again: they stay in the log only.
 */
const refuse = async (
  deps: SettlingDeps,
  chargeClaim: ChargeClaim,
  context: CommandContext,
): Promise<void> => {
  const { accountId, messageRef, messageId, chargeId } = chargeClaim;
  if (messageId !== null) await keepStatuses(deps, chargeClaim, messageId, context);
  const command = { type: 'RefuseChargeClaim' as const, chargeId };
  await deps.writer.execute(messageDecider, inAccount(accountId, messageRef), command, context);
};

/** Decides a claim. False while it has to wait; `isOver` says that the send of its charge is over. */
export const settleChargeClaim = async (
  deps: SettlingDeps,
  row: ChargeClaimRow,
  context: CommandContext,
  isOver = false,
): Promise<boolean> => {
  const { messageRef, chargeId } = row;
  const charge = await deps.refunds.find(chargeId);
  if (!charge) return true;
  const id = inAccount(charge.data.accountId, messageRef);
  const { chargeClaim } = (await deps.writer.load(messageDecider, id)).state;
  if (chargeClaim?.chargeId !== chargeId) return true;
  if (!isOver && (await mayBeUnderWay(deps, charge))) return false;
  const known = await deps.lookups.messageOfCharge(charge.data.accountId, chargeId);
  if (known === null) return false;
  try {
    if (known !== undefined && known !== messageRef) throw chargeTaken();
    await recordMatched(deps, charge, await match(deps, charge, chargeClaim, context), context);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    await refuse(deps, chargeClaim, context);
  }
  return true;
};

/** Claims that are read together. */
const CLAIMS_PAGE = 50;
/** Pages of one run; the next run takes the rest. */
const PAGES_MAX = 200;

/** Whether a message without a record may have the charge that its status carries. */
export type Found =
  /** It carries no charge, or one that is no charge of this account and number. */
  | { kind: 'none' }
  /** The decision has to wait: the send of that charge may still write its own record. */
  | { kind: 'early'; chargeClaim: ChargeClaim; subject: DataSubject | null }
  /** The send of that charge is over, and no message is recorded for it. */
  | { kind: 'free'; chargeClaim: ChargeClaim; subject: DataSubject | null };

interface Deps extends SettlingDeps {
  lookups: SettlingDeps['lookups'] & Pick<Lookups, 'chargeClaims'>;
  /** Called for a claim that could not be decided for a reason of its own; others are decided. */
  onFault: (chargeId: string, error: unknown) => void;
}

/** The contact that a status without a record of its message shows; of one without ids a nameless one. */
export const shownSubject = (
  subjects: Pick<Subjects, 'of'>,
  accountId: string,
  { recipientWaId, recipientUserId }: ShownRecipient,
) => subjects.of(accountId, recipientWaId ?? recipientUserId ?? '');

/** Finds the charge that a status carries. Throws where that charge has another message. */
const findCharge = async (
  deps: Deps,
  update: StatusUpdate,
  context: CommandContext,
): Promise<Found> => {
  const { refunds, lookups, contacts, subjects } = deps;
  const { chargeId, messageRef, messageId, phoneNumberId } = update;
  const charge = chargeId === null ? undefined : await refunds.find(chargeId);
  if (!charge || chargeId === null) return { kind: 'none' };
  const { accountId, contactRef, outline, said, at } = charge.data;
  // The number may have moved to another account since: a charge stays with the number it names.
  const isOfSender =
    outline.phoneNumberId === null
      ? accountId === update.accountId
      : outline.phoneNumberId === phoneNumberId;
  const to = said?.to ?? null;
  const isOwn = isOfSender && (await mayBeRecipient(contacts, update, { accountId, to }, context));
  // In this order: once the send is over, the read models show all that it has done.
  const isUnderWay = await mayBeUnderWay(deps, charge);
  const known = await lookups.messageOfCharge(accountId, chargeId);
  if (known && known !== messageRef) throw chargeTaken();
  if (!isOwn || known === messageRef) return { kind: 'none' };
  // A contact who was erased does not come back by a status of an old message: it names no contact.
  const owner = await subjectOf(subjects, accountId, contactRef);
  const recipient = owner ? shownIn(update) : null;
  // The id of the message is personal: of the charge's recipient, where the status shows no contact.
  const subject = recipient ? await shownSubject(subjects, accountId, update) : (owner ?? null);
  const chargeClaim = {
    messageRef,
    messageId: owner ? messageId : null,
    chargeId,
    accountId,
    phoneNumberId,
    contactRef: subject?.ref ?? contactRef,
    recipient,
    reservedAt: at,
  };
  const kind = isUnderWay || known === null ? 'early' : 'free';
  return { kind, chargeClaim, subject };
};

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
export const createRecovery = (deps: Deps) => {
  const { writer, lookups, refunds } = deps;
  const settle = (row: ChargeClaimRow, context: CommandContext, isOver = false) =>
    settleChargeClaim(deps, row, context, isOver);

  /** False where a message has the charge, or that is not known yet. */
  const expire = async (
    charge: ReservedCharge,
    context: CommandContext,
    isOver: boolean,
  ): Promise<boolean> => {
    const { accountId, chargeId } = charge.data;
    if (!isOver && (await mayBeUnderWay(deps, charge))) return false;
    // The send may have ended with its record since the reservation was seen open.
    if ((await lookups.messageOfCharge(accountId, chargeId)) !== undefined) return false;
    const rows = await lookups.chargeClaims({ chargeId, accountId, limit: CLAIMS_PAGE });
    for (const row of rows) if (!(await settle(row, context, isOver))) return false;
    const command = { type: 'Expire' as const, chargeId, accountId };
    const on = { ...context, accountId };
    const { state } = await writer.execute(recoveryDecider, recoveryId(charge), command, on);
    if (!state.matched) return true;
    // Where the message has another charge after all, the next sweep takes this one back.
    await recordMatched(deps, charge, state.matched, context);
    return false;
  };

  return {
    settle,
    find: (update: StatusUpdate, context: CommandContext): Promise<Found> =>
      findCharge(deps, update, context),

    /**
     * Refunds a reservation that stays open; true if this call did it. False where a message has
     * its charge, or its send may still be under way: `isOver` says that it is not.
     */
    async refundOpen(
      charge: ReservedCharge,
      context: CommandContext,
      isOver = false,
    ): Promise<boolean> {
      if (!(await expire(charge, context, isOver))) return false;
      return refunds.refund(charge.data.accountId, reservationOf(charge), 'expired', context);
    },

    /** Decides every claim of a charge whose send is over. */
    async settleChargeClaims(context: CommandContext, signal?: AbortSignal): Promise<void> {
      let reservedAfter = '';
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const wanted = { reservedAfter, limit: CLAIMS_PAGE };
        const rows = await lookups.chargeClaims(wanted);
        for (const row of rows) {
          if (signal?.aborted) return;
          await settle(row, context).catch((error) => {
            if (error instanceof StoreUnavailable) throw error;
            deps.onFault(row.chargeId, error);
          });
        }
        if (rows.length < CLAIMS_PAGE) return;
        reservedAfter = rows.at(-1)!.reservedAt;
      }
    },
  };
};

export type Recovery = ReturnType<typeof createRecovery>;
