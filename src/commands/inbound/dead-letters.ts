import { hash } from 'node:crypto';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { deadLetterDecider } from './dead-letter.ts';
import { Rejected, type RejectionKind } from './rejected.ts';

/** A dead letter must fit into one append. A longer one is cut, and its reason says so. */
const RAW_LENGTH_MAX = 250_000;
const REASON_LENGTH_MAX = 500;

/** An item of the provider that was not ingested. */
export interface Refused {
  /** The webhook field, or the kind of an item that was decoded. */
  field: string;
  wabaId: string | null;
  phoneNumberId: string | null;
  /** A payload with this item only, as JSON text. */
  raw: string;
  /** The reason; any other class than Rejected is a fault. */
  error: unknown;
}

/** What log lines and metrics say about a dead letter, without its content. */
export interface KeptLetter extends Omit<Refused, 'raw'> {
  deadLetterId: string;
  kind: RejectionKind;
}

/** Keeps items that cannot be ingested. A repetition makes no second dead letter. */
export const createDeadLetters = (deps: {
  writer: Writer;
  /** Called for each new dead letter. */
  onKept: (letter: KeptLetter) => void;
}) => {
  const { writer, onKept } = deps;
  return {
    async keep({ raw: whole, error, ...place }: Refused, context: CommandContext): Promise<void> {
      const deadLetterId = `dl_${hash('sha256', whole).slice(0, 32)}`;
      const isRejected = error instanceof Rejected;
      const text = isRejected ? error.message : `failed: ${String(error)}`;
      const reason = text.slice(0, REASON_LENGTH_MAX);
      const raw = whole.slice(0, RAW_LENGTH_MAX);
      const isCut = raw.length < whole.length;
      const letter = {
        ...{ deadLetterId, ...place, raw },
        reason: isCut ? `${reason} (cut: ${whole.length} characters)` : reason,
      };
      const command = { type: 'Keep' as const, letter };
      const { facts } = await writer.execute(deadLetterDecider, deadLetterId, command, context);
      if (facts.length === 0) return;
      onKept({ deadLetterId, ...place, error, kind: isRejected ? error.kind : 'failed' });
    },
  };
};

export type DeadLetters = ReturnType<typeof createDeadLetters>;
