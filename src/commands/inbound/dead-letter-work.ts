import type { KnownEvent } from '../../events/index.ts';
import type { EventReader } from '../../events/store.ts';
import { decodeWebhook } from '../../provider/webhook/webhook.ts';
import { AppError } from '../../shared/errors.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { deadLetterDecider } from './dead-letter.ts';
import type { Ingress } from './ingress.ts';
import { kindOf, Rejected, reasonOf } from './rejected.ts';

/** The commands of administrators for dead letters. */
export interface DeadLetterWork {
  /** The original item, read from the log; null for an erased or unknown one. */
  raw(deadLetterId: string): Promise<string | null>;
  /** Ingests it again; resolves to the reason why that still fails, or null. Refuses an erased one. */
  retry(deadLetterId: string, context: CommandContext): Promise<string | null>;
  /** Closes it without ingesting it; closing it twice is no error. */
  dismiss(deadLetterId: string, context: CommandContext): Promise<void>;
}

export const createDeadLetterWork = (deps: {
  writer: Writer;
  store: Pick<EventReader, 'read'>;
  ingress: Pick<Ingress, 'retry'>;
  /** Receives a fault of a retry, whose text is not kept. */
  onFault: (deadLetterId: string, error: unknown) => void;
}): DeadLetterWork => {
  const { writer, store, ingress, onFault } = deps;

  const readRaw = async (deadLetterId: string): Promise<string | null> => {
    const [first] = await store.read(`deadletter-${deadLetterId}`, { limit: 1 });
    const event = first as KnownEvent | undefined;
    return event?.type === 'DeadLetterKept' ? event.data.raw : null;
  };

  return {
    raw: readRaw,
    async retry(deadLetterId, context) {
      const raw = await readRaw(deadLetterId);
      if (raw === null) throw erased();
      const decoding = decodeWebhook(Buffer.from(raw));
      const failed = decoding.ok
        ? await ingress.retry(decoding.items, context)
        : { error: new Rejected('unreadable', decoding.reason) };
      const reason = failed && reasonOf(failed.error);
      if (failed && kindOf(failed.error) === 'failed') onFault(deadLetterId, failed.error);
      const command = { type: 'NoteRetry' as const, deadLetterId, resolved: !reason, reason };
      await writer.execute(deadLetterDecider, deadLetterId, command, context);
      return reason;
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
