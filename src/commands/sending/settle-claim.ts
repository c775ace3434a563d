import { wasTaken } from '../../events/account.ts';
import type { ReservedCharge } from '../../events/completed.ts';
import type { KnownEvent } from '../../events/index.ts';
import { messageStream } from '../../events/message.ts';
import type { EventReader } from '../../events/store.ts';
import { statusEnvelope } from '../../provider/webhook/status-envelope.ts';
import { type Refunds, reservationOf } from '../account/refunds.ts';
import type { Contacts } from '../contacts/contacts.ts';
import { subjectOf } from '../contacts/subjects.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { ChargeClaimRow, Lookups } from '../core/lookups.ts';
import type { DeadLetters } from '../inbound/dead-letters.ts';
import { Rejected } from '../inbound/rejected.ts';
import { messageDecider } from './message.ts';
import { IdTaken } from './message-errors.ts';
import type { ChargeClaim, StatusRecord } from './message-statuses.ts';
import { type RecordedContactDeps, recordedContact } from './recorded-contact.ts';
import { chargeTaken, type Match, recoveryDecider } from './recovery.ts';
import { sentRecordOf } from './reserve.ts';
import type { SendsUnderWay } from './sends-under-way.ts';

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
  claim: ChargeClaim,
  context: CommandContext,
): Promise<Match> => {
  const { accountId, chargeId } = charge.data;
  const { reservedAt: _, ...claimed } = claim;
  const on = { ...context, accountId };
  const subject = await subjectOf(subjects, accountId, claim.contactRef);
  // Of an erased contact the ids are gone, and the message still has the charge.
  const told = subject ? claimed : { ...claimed, messageId: null, recipient: null };
  const wanted: Match = { ...told, chargeId, accountId };
  const command = { type: 'Match' as const, match: wanted };
  const sealing = { ...on, subjects: subject ? [subject] : [] };
  const { state } = await writer.execute(recoveryDecider, chargeId, command, sealing);
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
  const { accountId, chargeId, outline } = charge.data;
  const on = { ...context, accountId };
  const data = { ...charge.data, outline: { ...outline, phoneNumberId } };
  const { waId = null, userId: recipientUserId } = recipient ?? {};
  const shown = { messageRef, messageId, recipientWaId: waId, recipientUserId };
  const contact = await recordedContact(deps, data, shown, on);
  const record = { ...sentRecordOf({ data }, shown, contact), recovered: true as const };
  const sealing = { ...on, subjects: contact.subjects };
  try {
    await writer.execute(messageDecider, messageRef, { type: 'RecordSent', record }, sealing);
  } catch (error) {
    if (!(error instanceof IdTaken)) throw error;
    await writer.execute(recoveryDecider, chargeId, { type: 'Release', messageRef }, on);
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
  { messageRef, messageId }: { messageRef: string; messageId: string },
  context: CommandContext,
): Promise<void> => {
  const events = await store.read(messageStream(messageRef), { limit: MESSAGE_EVENTS_MAX });
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
  { messageRef, messageId, chargeId }: ChargeClaim,
  context: CommandContext,
): Promise<void> => {
  if (messageId !== null) await keepStatuses(deps, { messageRef, messageId }, context);
  const command = { type: 'RefuseClaim' as const, chargeId };
  await deps.writer.execute(messageDecider, messageRef, command, context);
};

/** Decides a claim. False while it has to wait; `isOver` says that the send of its charge is over. */
export const settleClaim = async (
  deps: SettlingDeps,
  row: ChargeClaimRow,
  context: CommandContext,
  isOver = false,
): Promise<boolean> => {
  const { messageRef, chargeId } = row;
  const charge = await deps.refunds.find(chargeId);
  const { claim } = (await deps.writer.load(messageDecider, messageRef)).state;
  if (!charge || claim?.chargeId !== chargeId) return true;
  if (!isOver && (await mayBeUnderWay(deps, charge))) return false;
  const known = await deps.lookups.messageOfCharge(charge.data.accountId, chargeId);
  if (known === null) return false;
  try {
    if (known !== undefined && known !== messageRef) throw chargeTaken();
    await recordMatched(deps, charge, await match(deps, charge, claim, context), context);
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    await refuse(deps, claim, context);
  }
  return true;
};
