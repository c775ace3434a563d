import type { KnownEvent } from '../../events/index.ts';
import { type EventReader, type Position, START } from '../../events/store.ts';
import { decodeWebhook } from '../../provider/webhook/webhook.ts';
import { AppError } from '../../shared/errors.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { deadLetterDecider } from './dead-letters.ts';
import type { Ingress } from './ingress.ts';
import { kindOf, Rejected, reasonOf } from './rejected.ts';

/** The commands of administrators for dead letters. */
export interface DeadLetterWork {
  /** The original item, read from the log; null for an erased or unknown one. */
  raw(deadLetterId: string): Promise<string | null>;
  /** Ingests it again; resolves to the reason why that still fails, or null. Refuses an erased one. */
  retry(deadLetterId: string, context: CommandContext): Promise<string | null>;
  /**
   * Ingests again what an earlier version kept because its read models were behind. An item that still
   * fails gets another reason, so each is tried once; resolves to the number of those taken in.
   */
  retryBehind(context: CommandContext, signal: AbortSignal): Promise<number>;
  /** Closes it without ingesting it; closing it twice is no error. */
  dismiss(deadLetterId: string, context: CommandContext): Promise<void>;
}

/** Up to version 0.2.0, the reason of an item whose look-up waited too long for read models. */
const BEHIND = 'failed: NotReached';
/** Dead letters that are read together. */
const PAGE = 50;
/** Pages of one run; the next run takes the rest. */
const PAGES_MAX = 20;

export const createDeadLetterWork = (deps: {
  writer: Writer;
  lookups: Pick<Lookups, 'openDeadLetters'>;
  store: Pick<EventReader, 'read'>;
  ingress: Pick<Ingress, 'retry'>;
  /** Receives a fault of a retry, whose text is not kept. */
  onFault: (deadLetterId: string, error: unknown) => void;
}): DeadLetterWork => {
  const { writer, lookups, store, ingress, onFault } = deps;

  const readRaw = async (deadLetterId: string): Promise<string | null> => {
    const [first] = await store.read(`deadletter-${deadLetterId}`, { limit: 1 });
    const event = first as KnownEvent | undefined;
    return event?.type === 'DeadLetterKept' ? event.data.raw : null;
  };

  const ingestAgain = async (deadLetterId: string, raw: string, context: CommandContext) => {
    const decoding = decodeWebhook(Buffer.from(raw));
    // It came from the provider.
    const failed = decoding.ok
      ? await ingress.retry(decoding.items, { ...context, countsAsFree: false })
      : { error: new Rejected('unreadable', decoding.reason) };
    const reason = failed && reasonOf(failed.error);
    if (failed && kindOf(failed.error) === 'failed') onFault(deadLetterId, failed.error);
    const command = { type: 'NoteRetry' as const, deadLetterId, resolved: !reason, reason };
    await writer.execute(deadLetterDecider, deadLetterId, command, context);
    return reason;
  };

  return {
    raw: readRaw,
    async retry(deadLetterId, context) {
      const raw = await readRaw(deadLetterId);
      if (raw === null) throw erased();
      return ingestAgain(deadLetterId, raw, context);
    },
    async retryBehind(context, signal) {
      let after: Position = START;
      let takenIn = 0;
      for (let page = 0; page < PAGES_MAX; page += 1) {
        const letters = await lookups.openDeadLetters({ reason: BEHIND, after, limit: PAGE });
        for (const { deadLetterId } of letters) {
          if (signal.aborted) return takenIn;
          const raw = await readRaw(deadLetterId);
          // An erased one waits for its dismissal.
          if (raw === null) continue;
          if ((await ingestAgain(deadLetterId, raw, context)) === null) takenIn += 1;
        }
        if (letters.length < PAGE) break;
        after = letters.at(-1)!.order;
      }
      return takenIn;
    },
    async dismiss(deadLetterId, context) {
      const command = { type: 'Dismiss' as const, deadLetterId };
      await writer.execute(deadLetterDecider, deadLetterId, command, context);
    },
  };
};

const erased = () =>
  new AppError(
    'resource.erased',
    'The content of this dead letter was erased: it cannot be taken in again, only dismissed',
  );
