import type { KnownEvent } from '../../events/index.ts';
import type { EventReader } from '../../events/store.ts';
import { decodeWebhook } from '../../provider/webhook/webhook.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { deadLetterDecider } from './dead-letter.ts';
import type { Ingress } from './ingress.ts';

/** What an administrator does with a dead letter. */
export interface DeadLetterWork {
  /** The item as it came, read from the log; undefined where there is no such dead letter. */
  raw(deadLetterId: string): Promise<string | undefined>;
  /** Tries to take it in again; resolves to why it still cannot be, or null. */
  retry(deadLetterId: string, raw: string, context: CommandContext): Promise<string | null>;
  /** Closes it without taking it in; closing it twice is no error. */
  dismiss(deadLetterId: string, context: CommandContext): Promise<void>;
}

export const createDeadLetterWork = (deps: {
  writer: Writer;
  store: Pick<EventReader, 'read'>;
  ingress: Pick<Ingress, 'retry'>;
}): DeadLetterWork => {
  const { writer, store, ingress } = deps;
  return {
    async raw(deadLetterId) {
      const [first] = await store.read(`deadletter-${deadLetterId}`, { limit: 1 });
      const event = first as KnownEvent | undefined;
      return event?.type === 'DeadLetterKept' ? event.data.raw : undefined;
    },
    async retry(deadLetterId, raw, context) {
      const decoding = decodeWebhook(Buffer.from(raw));
      const reason = decoding.ok ? await ingress.retry(decoding.items, context) : decoding.reason;
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
