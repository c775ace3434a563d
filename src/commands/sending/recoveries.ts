import type { ReservedCharge } from '../../events/completed.ts';
import type { DataSubject } from '../../events/personal.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { reservationOf } from '../account/refunds.ts';
import { type Subjects, subjectOf } from '../contacts/subjects.ts';
import type { CommandContext } from '../core/decider.ts';
import type { ChargeClaimRow, Lookups } from '../core/lookups.ts';
import { type ChargeClaim, type StatusUpdate, shownIn } from './message-statuses.ts';
import { mayBeRecipient } from './recipient.ts';
import type { ShownRecipient } from './recorded-contact.ts';
import { chargeTaken, recoveryDecider } from './recovery.ts';
import { mayBeUnderWay, recordMatched, type SettlingDeps, settleClaim } from './settle-claim.ts';

/** Claims that are read together. */
const CLAIMS_PAGE = 50;
/** Pages of one run; the next run takes the rest. */
const PAGES_MAX = 200;

/** Whether a message without a record may have the charge that its status carries. */
export type Found =
  /** It carries no charge, or one that is no charge of this account and number. */
  | { kind: 'none' }
  /** The decision has to wait: the send of that charge may still write its own record. */
  | { kind: 'early'; claim: ChargeClaim; subject: DataSubject }
  /** The send of that charge is over, and no message is recorded for it. */
  | { kind: 'free'; claim: ChargeClaim; subject: DataSubject };

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
  const recipient = shownIn(update);
  // The id of the message is personal: where the status shows nobody, it is the charge's recipient's.
  const owner = recipient ? null : await subjectOf(subjects, accountId, contactRef);
  const subject = owner ?? (await shownSubject(subjects, accountId, update));
  const claim = {
    messageRef,
    messageId: recipient || owner ? messageId : null,
    chargeId,
    accountId,
    phoneNumberId,
    contactRef: subject.ref,
    recipient,
    reservedAt: at,
  };
  const kind = isUnderWay || known === null ? 'early' : 'free';
  return { kind, claim, subject };
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
export const createRecoveries = (deps: Deps) => {
  const { writer, lookups, refunds } = deps;
  const settle = (row: ChargeClaimRow, context: CommandContext, isOver = false) =>
    settleClaim(deps, row, context, isOver);

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
    const claims = await lookups.chargeClaims({ chargeId, limit: CLAIMS_PAGE });
    for (const claim of claims) if (!(await settle(claim, context, isOver))) return false;
    const command = { type: 'Expire' as const, chargeId, accountId };
    const on = { ...context, accountId };
    const { state } = await writer.execute(recoveryDecider, chargeId, command, on);
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
     * Gives a reservation back that stays open; true if this call did it. False where a message has
     * its charge, or its send may still be under way: `isOver` says that it is not.
     */
    async giveBack(
      charge: ReservedCharge,
      context: CommandContext,
      isOver = false,
    ): Promise<boolean> {
      if (!(await expire(charge, context, isOver))) return false;
      return refunds.refund(charge.data.accountId, reservationOf(charge), 'expired', context);
    },

    /** Decides every claim of a charge whose send is over. */
    async settleClaims(context: CommandContext, signal?: AbortSignal): Promise<void> {
      let reservedAfter = '';
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const wanted = { reservedAfter, limit: CLAIMS_PAGE };
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
