import type { Category } from '../events/category.ts';
import { parseContact } from '../events/contact.ts';
import type { EventOf } from '../events/index.ts';
import {
  laneOf,
  type ScheduleError,
  type ScheduleRule,
  type scheduleEnds,
} from '../events/schedule.ts';
import type { Position } from '../events/store.ts';
import { type Destroyed, defineProjection, made } from './define.ts';
import {
  type HeldFields,
  heldBy,
  heldIn,
  monthsOf,
  type SealedMonths,
  unlessDestroyed,
} from './sealed-fields.ts';

/** A scheduled send, and its place among those that wait. What it says is in the log alone. */
export interface ScheduledDocument extends SealedMonths {
  id: string;
  accountId: string;
  contactRef: string;
  kind: 'notification' | 'message';
  state: 'waiting' | 'sending' | (typeof scheduleEnds)[number];
  category: Category;
  phoneNumberId: string | null;
  dueAt: string;
  notAfter: string;
  timeZone: string | null;
  rule: ScheduleRule;
  problems: string[];
  event: string | null;
  /** The recipient; null once erased. */
  to: string | null;
  chargeId: string | null;
  metaMessageId: string | null;
  error: ScheduleError | null;
  /** Sends that wait one behind the other; null for one that has ended. */
  lane: string | null;
  /** Its place in the lane: when, then its id. */
  due: string | null;
  createdAt: string;
  order: Position;
}

type Planned = EventOf<'SendScheduled' | 'ScheduleChanged'>;
type Personal = HeldFields<'to' | 'metaMessageId'> & {
  error: ReturnType<typeof heldIn<ScheduleError>>;
};
type Rest = Omit<
  ScheduledDocument,
  keyof SealedMonths | 'to' | 'metaMessageId' | 'error' | 'lane' | 'due'
>;

const isLive = ({ state }: Pick<ScheduledDocument, 'state'>): boolean =>
  state === 'waiting' || state === 'sending';

const compose = (rest: Rest, held: Personal): ScheduledDocument => {
  const { id, dueAt } = rest;
  const lives = isLive(rest);
  return {
    ...rest,
    to: held.to?.value ?? null,
    metaMessageId: held.metaMessageId?.value ?? null,
    error: held.error?.value ?? null,
    lane: lives ? laneOf(rest) : null,
    due: lives ? `${dueAt} ${id}` : null,
    ...monthsOf(held),
  };
};

const partsOf = (document: ScheduledDocument): { rest: Rest; held: Personal } => {
  const { to, metaMessageId, error, lane: _, due: __, sealedMonth: ___, ...others } = document;
  const { laterMonths: ____, ...rest } = others;
  return {
    rest,
    held: {
      to: heldBy(document, 'to', to),
      metaMessageId: heldBy(document, 'metaMessageId', metaMessageId),
      error: heldBy(document, 'error', error),
    },
  };
};

const planned = (before: ScheduledDocument | undefined, event: Planned): ScheduledDocument => {
  const { data, meta, position } = event;
  const { scheduleId: id, request, named: _, otherRefs: __, ...send } = data;
  const to = request === null ? null : parseContact(String(request.to));
  const rest: Rest = {
    ...send,
    id,
    // An erasure takes what waits for its contact with it.
    state: request === null ? 'erased' : 'waiting',
    chargeId: null,
    createdAt: before?.createdAt ?? meta.at,
    order: before?.order ?? position,
  };
  return compose(rest, { to: heldIn(event, to), metaMessageId: null, error: null });
};

const moved = (
  document: ScheduledDocument | undefined,
  change: Partial<Rest>,
  told: Partial<Personal> = {},
): ScheduledDocument | undefined => {
  if (!document) return undefined;
  const { rest, held } = partsOf(document);
  return compose({ ...rest, ...change }, { ...held, ...told });
};

const erase = (document: ScheduledDocument, destroyed: Destroyed): ScheduledDocument => {
  const { rest, held } = partsOf(document);
  const to = unlessDestroyed(held.to, destroyed);
  const isErased = rest.state === 'waiting' && to === null;
  return compose(isErased ? { ...rest, state: 'erased' } : rest, {
    to,
    metaMessageId: unlessDestroyed(held.metaMessageId, destroyed),
    error: unlessDestroyed(held.error, destroyed),
  });
};

const scheduleId = (event: { data: { scheduleId: string } }) => event.data.scheduleId;

export const scheduled = defineProjection<ScheduledDocument>({
  name: 'scheduled',
  version: 2,
  indexes: [
    ['lane', 'due?'],
    ['lane?'],
    ['accountId', 'due?'],
    ['accountId', 'contactRef', '-order'],
    ['accountId', 'state', '-order'],
    ['accountId', '-order'],
    ['contactRef', 'sealedMonth?'],
    ['accountId', 'sealedMonth?'],
  ],
  filters: ['kind'],
  words: ['accountId', 'state', 'kind'],
  erase: { by: 'contactRef', document: erase },
  on: {
    SendScheduled: made(scheduleId, (event) => planned(undefined, event)),
    ScheduleChanged: { key: scheduleId, fold: planned },
    ScheduleMoved: {
      key: scheduleId,
      fold: (document, { data: { dueAt, notAfter, timeZone, rule } }) =>
        moved(document, { dueAt, notAfter, timeZone, rule }),
    },
    ScheduleBegun: {
      key: scheduleId,
      fold: (document) => moved(document, { state: 'sending' }),
    },
    ScheduleEnded: {
      key: scheduleId,
      fold: (document, event) => {
        const { state, chargeId, messageId, error } = event.data;
        return moved(
          document,
          { state, chargeId },
          { metaMessageId: heldIn(event, messageId), error: heldIn(event, error) },
        );
      },
    },
  },
});
