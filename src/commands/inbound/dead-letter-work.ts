import type { KnownEvent } from '../../events/index.ts';
import type { EventReader } from '../../events/store.ts';
import { decodeWebhook } from '../../provider/webhook/webhook.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { deadLetterDecider } from './dead-letter.ts';
import type { Ingress } from './ingress.ts';

/** The commands of administrators for dead letters. */
export interface DeadLetterWork {
  /** The original item, read from the log; undefined for an unknown dead letter. */
  raw(deadLetterId: string): Promise<string | undefined>;
  /** Ingests it again; resolves to the reason why that still fails, or null. */
  retry(deadLetterId: string, raw: string, context: CommandContext): Promise<string | null>;
  /** Closes it without ingesting it; closing it twice is no error. */
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
