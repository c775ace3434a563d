import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreUnavailable } from '../../events/store.ts';
import { rawOf, type UnknownItem, type WebhookItem } from '../../provider/webhook/item.ts';
import { createSemaphore } from '../../shared/concurrency.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Lookups } from '../core/lookups.ts';
import type { DeadLetters, Refused } from './dead-letters.ts';
import { createIngressItems, type IngressItemsDeps } from './ingress-items.ts';
import { createNotices } from './ingress-notices.ts';
import { Rejected } from './rejected.ts';

/** Items of a webhook that are ingested in order. */
export interface Subject {
  /** The business account, whose share of the places the subject takes. */
  holder: string;
  ingest(): Promise<void>;
}

/**
 * Subjects that are ingested at a time, of all webhooks. Each makes one call of the log at a time, so
 * that of the 64 appends that the log carries at once, sends always have most.
 */
const PLACES = 8;
/** A business account may hold three times as many places as it leaves free: 6 of 8 while alone. */
const SHARE = 3;
/** A webhook that is not done by then fails, and the provider sends it again: what is stored stays. */
const WEBHOOK_MS_MAX = 30_000;
/** The same for one that has failed already: its other subjects may each wait as long as the failed one. */
const FAILED_MS_MAX = 5_000;
/** Subjects that one place ingests before the event loop runs other work, where none has to wait. */
const TURNS_IN_A_ROW = 8;

const tooLate = () => new StoreUnavailable('too many items of the provider wait');

/** Other times, for tests. */
export interface TurnTimes {
  webhookMsMax?: number;
  monotonicMs?: () => number;
}

/**
 * Ingests the subjects of webhooks, a bounded number at a time in the whole process. Business accounts
 * take turns. A failure of one subject does not keep the others of a webhook from being tried, unless
 * they take long; throws the first failure at the end.
 */
const createSubjectTurns = ({
  webhookMsMax = WEBHOOK_MS_MAX,
  monotonicMs = () => performance.now(),
}: TurnTimes = {}) => {
  const places = createSemaphore(PLACES, SHARE);

  const ingestInPlace = async ({ holder, ingest }: Subject, leftMs: number): Promise<void> => {
    if (!places.take(holder) && !(await places.wait(holder, leftMs))) throw tooLate();
    try {
      await ingest();
    } finally {
      places.release(holder);
    }
  };

  return async (subjects: readonly Subject[]): Promise<void> => {
    const waiting = subjects.entries();
    const begunMs = monotonicMs();
    let failure: unknown;
    const leftMs = () => {
      const mayTakeMs =
        failure === undefined ? webhookMsMax : Math.min(webhookMsMax, FAILED_MS_MAX);
      return begunMs + mayTakeMs - monotonicMs();
    };
    const ingestNext = async () => {
      for (const [index, subject] of waiting) {
        if (index % TURNS_IN_A_ROW === TURNS_IN_A_ROW - 1) await nextTurn();
        if (leftMs() <= 0) {
          failure ??= tooLate();
          return;
        }
        try {
          await ingestInPlace(subject, leftMs());
        } catch (error) {
          failure ??= error;
        }
      }
    };
    await Promise.all(Array.from({ length: PLACES }, ingestNext));
    if (failure !== undefined) throw failure;
  };
};

/** Items in a row before the event loop runs other work: a few milliseconds. */
const IN_A_ROW = 256;

const rejectUnknown = ({ reason }: UnknownItem): never => {
  throw new Rejected(reason.startsWith('not handled') ? 'not_handled' : 'unreadable', reason);
};

const refusedOf = (item: WebhookItem, error: unknown): Refused => ({
  field: item.kind === 'unknown' ? item.field : item.kind,
  wabaId: item.wabaId,
  phoneNumberId: 'phoneNumberId' in item ? item.phoneNumberId : null,
  raw: rawOf(item),
  error,
});

/** Items of one subject are ingested in order, those of different subjects in parallel. */
const subjectOf = (item: WebhookItem): string => {
  switch (item.kind) {
    case 'status':
    case 'message':
      return `message ${item.messageId}`;
    case 'template_status':
    case 'template_category':
    case 'template_quality':
      return `template ${item.metaTemplateId}`;
    case 'unknown':
      return `raw ${item.raw}`;
    default:
      return `business account ${item.wabaId}`;
  }
};

/** Whose turn it takes to ingest an item: its business account's. */
const holderOf = (item: WebhookItem): string =>
  item.wabaId ?? ('phoneNumberId' in item ? item.phoneNumberId : null) ?? '';

/** Unknown items that say the same are one dead letter, so only the first of them is kept. */
const bySubject = async (all: Iterable<WebhookItem>): Promise<WebhookItem[][]> => {
  const subjects = new Map<string, WebhookItem[]>();
  let count = 0;
  for (const item of all) {
    count += 1;
    if (count % IN_A_ROW === 0) await nextTurn();
    const subject = subjectOf(item);
    const known = subjects.get(subject);
    if (!known) subjects.set(subject, [item]);
    else if (item.kind !== 'unknown') known.push(item);
  }
  return [...subjects.values()];
};

interface IngressDeps extends IngressItemsDeps, TurnTimes {
  deadLetters: DeadLetters;
  lookups: Pick<Lookups, 'number' | 'numbersOfWaba'>;
}

/**
 * Ingests what the provider reports, each item on its own: an item that cannot be ingested becomes a
 * dead letter, whole, and does not affect the others. Ingesting an item twice has no second effect.
 */
export const createIngress = (deps: IngressDeps) => {
  const items = createIngressItems(deps);
  const inTurns = createSubjectTurns(deps);
  const ingestNotice = createNotices(deps);

  const ingest = async (item: WebhookItem, context: CommandContext): Promise<void> => {
    switch (item.kind) {
      case 'status':
        return items.ingestStatus(item, context);
      case 'message':
        return items.ingestMessage(item, context);
      case 'user_preference':
        return items.ingestPreference(item, context);
      case 'unknown':
        return rejectUnknown(item);
      default:
        return ingestNotice(item, context);
    }
  };

  /** Throws only when the item cannot be stored at all: then the provider sends it again. */
  const ingestOrKeep = async (item: WebhookItem, context: CommandContext): Promise<void> => {
    try {
      await ingest(item, context);
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      await deps.deadLetters.keep(refusedOf(item, error), context);
    }
  };

  const ingestSubject = async (subject: readonly WebhookItem[], context: CommandContext) => {
    for (const [index, item] of subject.entries()) {
      if (index % IN_A_ROW === IN_A_ROW - 1) await nextTurn();
      await ingestOrKeep(item, context);
    }
  };

  return {
    /** Resolves when every item is stored, as events or as a dead letter. Throws when one is not. */
    async ingestAll(all: Iterable<WebhookItem>, context: CommandContext): Promise<void> {
      const subjects = await bySubject(all);
      await inTurns(
        subjects.map((items) => ({
          holder: holderOf(items[0]!),
          ingest: () => ingestSubject(items, context),
        })),
      );
    },
    /** Tries the items of a dead letter again. Resolves to the error of one that still fails, or null. */
    async retry(
      all: Iterable<WebhookItem>,
      context: CommandContext,
    ): Promise<{ error: unknown } | null> {
      let isEmpty = true;
      for (const item of all) {
        isEmpty = false;
        try {
          await ingest(item, context);
        } catch (error) {
          if (error instanceof StoreUnavailable) throw error;
          return { error };
        }
      }
      return isEmpty ? { error: new Rejected('unreadable', 'nothing in it could be read') } : null;
    },
  };
};

export type Ingress = ReturnType<typeof createIngress>;
