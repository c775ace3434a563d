import type { RefundCause } from '../../events/account.ts';
import { isUserId } from '../../events/contact.ts';
import type { Content, Intent } from '../../events/content.ts';
import type { Provider, Sender, SendOutcome, Slot } from '../../provider/provider.ts';
import type { Direct } from '../../provider/rules/direct-send.ts';
import { lengths } from '../../provider/rules/message-limits.ts';
import type { SendDetails } from '../../shared/error-table.ts';
import { AppError } from '../../shared/errors.ts';
import { untilWoken, withTimeout } from '../../shared/timing.ts';
import { bytesOf } from '../account/free-writes.ts';
import { type Refunds, reservationOf } from '../account/refunds.ts';
import type { ClaimedRuns } from '../idempotency/claimed-runs.ts';
import { IdTaken } from './message-statuses.ts';
import { type RecordingDeps, recordSent } from './record.ts';
import type { RefusedSend } from './refusals.ts';
import {
  type AccountContext,
  createReservations,
  type Reserved,
  type Unpriced,
} from './reserve.ts';
import {
  failureOf,
  leftToSweep,
  notBegun,
  notRecorded,
  outcomeUnknown,
  requestTimeout,
  sendFailed,
  unreachable,
  unusableId,
} from './send-errors.ts';
import type { SendsUnderWay } from './sends-under-way.ts';
import type { Transmitted } from './transmitted.ts';

/** A message to be charged and sent. */
export interface Draft extends Unpriced {
  /** What the provider is given, or why the message cannot be sent. */
  outgoing: Outgoing | AppError;
}

export interface Outgoing {
  sender: Sender;
  /** With everything in it, also what the log must not keep. */
  content: Content;
  /** Details of a refusal, beside the provider's words. */
  details: SendDetails;
  /** Of a message without a template outside the window. */
  direct?: Direct | undefined;
  /** A slot in the sender's pace that was waited for already. */
  slot?: Slot | undefined;
}

export interface SendContext extends AccountContext {
  /** Fires when the caller has gone before its answer was written: the charge is reversed. */
  signal?: AbortSignal | undefined;
}

export interface Transmitter {
  /**
   * Reserves the price, sends once, and records the outcome. Throws a refusal after refunding the
   * charge; the charge stays taken only when the message went out.
   */
  transmit(draft: Draft, context: SendContext): Promise<Transmitted>;
}

type TransmitterDeps = Parameters<typeof createReservations>[0] &
  Parameters<typeof createRefunding>[0] &
  RecordingDeps & {
    provider: Pick<Provider, 'send'>;
    /** Knows what an earlier run of an idempotent request has sent. */
    runs: Pick<ClaimedRuns, 'sentEarlier' | 'termOf' | 'reversible'>;
    sends: Pick<
      SendsUnderWay,
      'begin' | 'end' | 'reversing' | 'stopping' | 'mayCall' | 'mayRecord'
    >;
    /** Called with each error of a send. */
    onRefused?: (error: unknown, send: RefusedSend) => void;
    /** Called with each outcome and the seconds until it. */
    onOutcome?: (outcome: SendOutcome, seconds: number) => void;
  };

export const createTransmitter = (deps: TransmitterDeps): Transmitter => {
  const { runs, sends } = deps;
  const { reserve, leavesNoTrace } = createReservations(deps);
  const refunding = createRefunding(deps);
  const send = createSend(deps, refunding);

  /**
   * Refuses a message that cannot be sent. A free-form or free one leaves no trace; another leaves
   * the two rows of the contract, without the content.
   */
  const refuse = async (draft: Draft, error: AppError, context: AccountContext) => {
    // A refused message costs nothing, whatever was quoted.
    const unquoted = { ...draft, quoted: undefined };
    if (await leavesNoTrace(unquoted, context)) throw error;
    const charge = await reserve({ ...unquoted, intent: withoutContent(draft.intent) }, context);
    return refunding.fail(charge, context, { error, countsAsFree: true });
  };

  return {
    async transmit(draft, { signal, ...by }) {
      // A message that went out is paid, at whatever price; what comes to nothing is counted here.
      const context = { ...by, countsAsFree: false };
      try {
        mustKeepToCodeRules(draft);
        const earlier = context.claim && (await runs.sentEarlier(context.claim, context));
        if (earlier) return earlier;
        const { outgoing } = draft;
        if (outgoing instanceof AppError) return await refuse(draft, outgoing, context);
        const term = context.claim && runs.termOf(context.claim);
        const charge = await sends.begin(context.accountId, reserve(draft, context), term);
        try {
          return await send(charge, outgoing, context, signal);
        } finally {
          sends.end(charge.data.chargeId);
        }
      } catch (error) {
        const { accountId, requestId } = context;
        deps.onRefused?.(error, { accountId, requestId, to: draft.intent.to });
        throw error;
      }
    },
  };
};

/** Sends what is reserved: the message is recorded, or the charge refunded. */
const createSend =
  (deps: TransmitterDeps, { refund, fail }: ReturnType<typeof createRefunding>) =>
  async (
    charge: Reserved,
    { sender, content, details, direct, slot }: Outgoing,
    context: AccountContext,
    signal: AbortSignal | undefined,
  ): Promise<Transmitted> => {
    const { chargeId, price, balanceAfter, outline, said } = charge.data;
    if (signal?.aborted) {
      return fail(charge, context, { error: requestTimeout(), countsAsFree: true });
    }
    if (!deps.sends.mayCall(charge.data)) return fail(charge, context, { error: notBegun() });

    const { to, contextMessageId = null } = said!;
    const message = { to, content, contextMessageId, chargeId, direct };
    const calledAt = performance.now();
    const sending = deps.provider.send(sender, message, slot);
    const { claim } = context;
    const term = claim && deps.runs.termOf(claim);
    // After the term a repetition may have been answered with this charge by another process.
    const reverse = async () => {
      if (!term || term.mayBegin()) {
        await refund(charge, 'disconnected', context, { isOwn: term?.mayBegin });
      }
    };
    const reversed = reverseOnHangUp(signal, sending, reverse, deps.sends);
    if (claim) deps.runs.reversible(claim, reversed);
    const outcome = await sending;
    const tookMs = Math.round(performance.now() - calledAt);
    deps.onOutcome?.(outcome, tookMs / 1000);
    if (outcome.kind === 'unknown') {
      const error = outcomeUnknown(details);
      return fail(charge, context, { error, cause: 'unknown_outcome', tookMs });
    }
    if (outcome.kind === 'unreachable') {
      return fail(charge, context, { error: unreachable(outcome.reason, details), tookMs });
    }
    if (outcome.kind === 'refused') {
      const error = sendFailed(outcome.refusal, details);
      // A refusal without a code is the provider's fault, not the account's.
      return fail(charge, context, {
        error,
        countsAsFree: outcome.refusal.code !== null,
        tookMs,
      });
    }

    try {
      await recordSent(deps, charge, { ...outcome, tookMs }, context);
    } catch (error) {
      if (error instanceof IdTaken) {
        return fail(charge, context, { error: unusableId(details), tookMs });
      }
      deps.onLeftOpen('record', chargeId, error);
      throw notRecorded(error);
    }
    const { kind: _, recipientUserId: __, ...told } = outcome;
    return { ...told, charge: { chargeId, price, balanceAfter }, outline };
  };

/**
 * How long a reversal waits for the provider's answer: what did not go out must not count against the
 * account. A later one counts as an acceptance, because nothing is reversed after the term of a request.
 */
const WORD_WITHIN_MS = 60_000;
/** How long it waits after that, or when the service stops. */
const LAST_WORD_WITHIN_MS = 2_000;

/**
 * Reverses the charge of a message that the provider accepted, when its caller hangs up before the
 * answer is written. Of a message that the provider did not accept, its send refunds the charge. Returns a
 * function that resolves when a reversal that has begun is over, or at once when none has.
 */
export const reverseOnHangUp = (
  signal: AbortSignal | undefined,
  outcome: Promise<SendOutcome>,
  reverse: () => Promise<void>,
  sends: Pick<SendsUnderWay, 'reversing' | 'stopping'>,
): (() => Promise<void>) => {
  let reversing: Promise<void> | undefined;
  const reverseAccepted = async () => {
    const isAccepted = outcome.then(
      ({ kind }) => kind === 'accepted',
      () => true,
    );
    const listen = (wake: () => void) => {
      void isAccepted.then(wake);
      return () => undefined;
    };
    await untilWoken(sends.stopping, listen, WORD_WITHIN_MS);
    if (await withTimeout(LAST_WORD_WITHIN_MS, isAccepted, () => true)) await reverse();
  };
  const begin = () => {
    reversing = reverseAccepted();
    sends.reversing(reversing);
  };
  signal?.addEventListener('abort', begin, { once: true });
  return async () => reversing;
};

/** Bytes that a reservation and its refund take in the log, beside the content of the message. */
const CHARGE_BYTES = 2_000;

/** Why a message does not go out. */
interface Failure {
  /** The error for the caller. */
  error: AppError;
  cause?: RefundCause;
  /** Whether the bytes of the reservation and its refund count as written for free. */
  countsAsFree?: boolean;
  /** Time of the provider's call. */
  tookMs?: number;
}

/** Refunds charges. */
const createRefunding = (deps: {
  refunds: Pick<Refunds, 'refund'>;
  sends: Pick<SendsUnderWay, 'mayRecord'>;
  /**
   * Called when a record or a refund could not be written. The sweep refunds an open charge later,
   * but not that of a recorded message whose caller hung up: it stays taken.
   */
  onLeftOpen: (what: string, chargeId: string, error: unknown) => void;
  /** Called with the bytes that were written for a message that was not sent. */
  onFree: (accountId: string, bytes: number) => void;
}) => {
  const refund = async (
    charge: Reserved,
    cause: RefundCause,
    context: AccountContext,
    how?: Parameters<Refunds['refund']>[4],
  ): Promise<boolean> => {
    try {
      await deps.refunds.refund(context.accountId, reservationOf(charge), cause, context, how);
      return true;
    } catch (error) {
      deps.onLeftOpen('refund', charge.data.chargeId, error);
      return false;
    }
  };

  return {
    refund,
    /**
     * Refunds the charge of a message that does not go out, then throws the error. A process that was
     * frozen for long leaves it to the sweep: a status may have given the charge a message meanwhile.
     */
    async fail(charge: Reserved, context: AccountContext, failure: Failure): Promise<never> {
      const { error, cause = 'not_sent', countsAsFree = false, tookMs } = failure;
      const { outline, said } = charge.data;
      const bytes = bytesOf({ ...outline, ...said }) + CHARGE_BYTES;
      if (countsAsFree) deps.onFree(context.accountId, bytes);
      if (!deps.sends.mayRecord(charge.data)) throw leftToSweep(error);
      const how = { failure: failureOf(error, tookMs) };
      const isRefunded = await refund(charge, cause, context, how);
      // An unknown outcome promises a refund, and a status may give the charge a message before the sweep.
      throw isRefunded || cause !== 'unknown_outcome' ? error : leftToSweep(error);
    },
  };
};

/** The provider's rules for codes: a length, and a telephone number (131062). */
export const mustKeepToCodeRules = ({ category, intent, outgoing }: Draft): void => {
  // Both are rules of templates.
  if (category !== 'AUTHENTICATION' || intent.direct) return;
  if (isUserId(intent.to)) {
    throw new AppError(
      'message.not_allowed',
      '`to` is a user id: the provider sends authentication templates to telephone numbers only (131062)',
    );
  }
  const content = outgoing instanceof AppError ? undefined : outgoing.content;
  if (content?.type !== 'notification' || !content.authentication) return;
  const length = content.parameters[0]?.length ?? 0;
  if (length <= lengths.code) return;
  throw new AppError(
    'message.not_allowed',
    `\`variables\`: the code has ${length} characters, and the provider takes ${lengths.code} at most`,
  );
};

/** The intent of a refused send as the log keeps it: of the content its type and its name. */
const withoutContent = (intent: Intent): Intent => {
  const { content } = intent;
  if (content.type === 'notification') {
    return { ...intent, content: { ...content, parameters: [] }, text: null };
  }
  if (content.type === 'template') {
    return { ...intent, content: { ...content, components: [] }, text: null };
  }
  return intent;
};
