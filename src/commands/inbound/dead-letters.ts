import {
  DeadLetterDismissed,
  type DeadLetterFact,
  DeadLetterKept,
  DeadLetterRetried,
} from '../../events/dead-letter.ts';
import type { FactOf } from '../../events/define.ts';
import type { DataSubject } from '../../events/personal.ts';
import { contactIdsOf } from '../../provider/webhook/contact-ids.ts';
import { AppError } from '../../shared/errors.ts';
import type { Logger } from '../../shared/logger.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { Subjects } from '../contacts/subjects.ts';
import type { CommandContext, Decider } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { kindOf, type RejectionKind, reasonOf } from './rejected.ts';

export type DeadLetter = FactOf<typeof DeadLetterKept>['data'];

interface DeadLetterState {
  kept: DeadLetter | null;
  resolved: boolean;
  dismissed: boolean;
}

type DeadLetterCommand =
  | { type: 'Keep'; letter: DeadLetter }
  | { type: 'NoteRetry'; deadLetterId: string; resolved: boolean; reason: string | null }
  | { type: 'Dismiss'; deadLetterId: string };

/** An item of the provider that could not be ingested. A repetition adds nothing. */
export const deadLetterDecider: Decider<DeadLetterState, DeadLetterCommand, DeadLetterFact> = {
  category: 'deadletter',
  initial: { kept: null, resolved: false, dismissed: false },
  evolve(state, fact) {
    switch (fact.type) {
      case 'DeadLetterKept':
        return { ...state, kept: fact.data };
      case 'DeadLetterRetried':
        return { ...state, resolved: fact.data.resolved };
      case 'DeadLetterDismissed':
        return { ...state, dismissed: true };
    }
  },
  decide(command, state) {
    if (command.type === 'Keep') return state.kept ? [] : [DeadLetterKept.of(command.letter)];
    if (!state.kept) throw new AppError('resource.unknown', 'Dead letter not found');
    if (state.resolved) return [];
    const { deadLetterId } = command;
    if (command.type === 'Dismiss') {
      return state.dismissed ? [] : [DeadLetterDismissed.of({ deadLetterId })];
    }
    const { resolved, reason } = command;
    return [DeadLetterRetried.of({ deadLetterId, resolved, reason })];
  },
};

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
  secrets: Pick<Secrets, 'fingerprint'>;
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
      const name = secrets.fingerprint(`dead letter ${whole}`);
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

/** Webhook fields and kinds of items that the metric names; any other is `other`. */
const FIELDS = new Set(
  `status message user_preference template_status template_category template_quality
  phone_quality phone_name account_update account_capability messages user_preferences`.split(
    /\s+/,
  ),
);

/** The form of the provider's names; anything else may be content. */
const FIELD_NAME = /^[a-z_]{1,64}$/;

/**
 * Reports a kept dead letter in a log line and a metric: its ids, field and reason, and none of its
 * content.
 */
export const tellOfDeadLetter =
  (logger: Logger, count: (labels: Record<string, string>) => void) =>
  ({ error, kind, field, ...ids }: KeptLetter): void => {
    const isFault = kind === 'failed';
    const why = isFault ? { err: error } : { reason: (error as Error).message };
    const named = FIELD_NAME.test(field) ? field : 'other';
    logger.warn({ ...ids, field: named, kind, ...why }, 'A dead letter was kept');
    count({ field: FIELDS.has(field) ? field : 'other', reason: kind });
  };
