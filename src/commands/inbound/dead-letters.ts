import type { DataSubject } from '../../events/personal.ts';
import { contactIdsOf } from '../../provider/webhook/contact-ids.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { Subjects } from '../contacts/subjects.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { deadLetterDecider } from './dead-letter.ts';
import { kindOf, type RejectionKind, reasonOf } from './rejected.ts';

/** A dead letter must fit into one append. A longer one is cut, and its reason says so. */
const RAW_LENGTH_MAX = 250_000;
/** Ids of contacts that keep a letter: each of them can have it erased. */
const IDS_MAX = 50;
/** The subject of letters that name no contact; without an account. Its keys go month by month. */
export const NO_CONTACT = 'dead-letters';

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

interface Deps {
  writer: Writer;
  lookups: Pick<Lookups, 'number'>;
  subjects: Pick<Subjects, 'of'>;
  secrets: Pick<Secrets, 'hashToken'>;
  /** Called for each new dead letter. */
  onKept: (letter: KeptLetter) => void;
}

/** Whose data an item is: of the contacts that it names, in the account of its number. */
const ownersOf = async (
  { lookups, subjects }: Deps,
  { raw, phoneNumberId }: Refused,
): Promise<{ accountId: string; owners: readonly DataSubject[] }> => {
  const ids = contactIdsOf(raw).slice(0, IDS_MAX);
  if (ids.length === 0) return { accountId: '', owners: [await subjects.of('', NO_CONTACT)] };
  const number = phoneNumberId === null ? undefined : await lookups.number(phoneNumberId);
  const accountId = number?.accountId ?? '';
  return { accountId, owners: await Promise.all(ids.map((id) => subjects.of(accountId, id))) };
};

/** Keeps items that cannot be ingested. A repetition makes no second dead letter. */
export const createDeadLetters = (deps: Deps) => {
  const { writer, secrets, onKept } = deps;
  return {
    async keep(refused: Refused, context: CommandContext): Promise<void> {
      const { raw: whole, error, ...place } = refused;
      // Keyed, because there are few enough numbers to try them all in an item.
      const name = secrets.hashToken(`dead letter ${whole}`);
      const deadLetterId = `dl_${name.slice(0, 32)}`;
      const { state } = await writer.load(deadLetterDecider, deadLetterId);
      if (state.kept) return;
      const { accountId, owners } = await ownersOf(deps, refused);
      const raw = whole.slice(0, RAW_LENGTH_MAX);
      const reason = reasonOf(error);
      const isCut = raw.length < whole.length;
      const letter = {
        deadLetterId,
        accountId,
        contactRefs: owners.map(({ ref }) => ref),
        ...place,
        reason: isCut ? `${reason} (cut: ${whole.length} characters)` : reason,
        rawLength: raw.length,
        raw,
      };
      const command = { type: 'Keep' as const, letter };
      const on = { ...context, subjects: owners };
      const { facts } = await writer.execute(deadLetterDecider, deadLetterId, command, on);
      if (facts.length === 0) return;
      onKept({ deadLetterId, ...place, error, kind: kindOf(error) });
    },
  };
};

export type DeadLetters = ReturnType<typeof createDeadLetters>;
