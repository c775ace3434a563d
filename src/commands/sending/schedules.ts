import { LRUCache } from 'lru-cache';
import type { Category } from '../../events/category.ts';
import { parseContact } from '../../events/contact.ts';
import type { DataSubject } from '../../events/personal.ts';
import type { ScheduledSend } from '../../events/schedule.ts';
import { inAccount } from '../../events/streams.ts';
import { type BuiltType, contentOf } from '../../provider/rules/message-types.ts';
import { type Clock, type Ids, isoTime } from '../../shared/clock.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import { bytesOf, type FreeWrites } from '../account/free-writes.ts';
import type { Contacts } from '../contacts/contacts.ts';
import { nameOthers } from '../contacts/named.ts';
import { type Subjects, subjectOf } from '../contacts/subjects.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import type { DueRow, DueRows } from '../core/timers.ts';
import { type ClaimedRuns, isOwn } from '../idempotency/claimed-runs.ts';
import { categoryOfTemplate, DEAREST } from '../pricing/template-category.ts';
import { isVisibleTo } from '../templates/template-owner.ts';
import { findEvent } from './catalog.ts';
import { type NotificationRequest, unknownEvent } from './notification.ts';
import { categoryOf, findConfiguredNumber, knownTemplate, windowOf } from './outgoing.ts';
import type { PassThroughRequest } from './pass-through.ts';
import type { AccountContext } from './reserve.ts';
import { conflictOf, isErased, scheduleDecider, unknownSchedule } from './schedule.ts';
import {
  type AccountHours,
  endOf,
  mustEndAfter,
  type Planned,
  planSend,
  type Timing,
} from './timing.ts';

export type ScheduleKind = ScheduledSend['kind'];

/** The body of a send. */
export interface ScheduleBody extends Timing {
  to: string;
  phoneNumberId?: string | undefined;
  strict?: boolean | undefined;
  quoteId?: string | undefined;
}

interface NotificationBody extends ScheduleBody, Omit<NotificationRequest, 'slot' | 'source'> {}

type MessageBody = ScheduleBody &
  Pick<PassThroughRequest, 'contextMessageId' | 'clientReference'> & { type: BuiltType } & {
    [Type in BuiltType]?: unknown;
  };

export const notificationOf = (body: object): NotificationBody => body as NotificationBody;

/** The request that a stored body asks for. */
export const messageOf = (body: object): PassThroughRequest => {
  const { to, type, phoneNumberId, contextMessageId, clientReference, ...rest } =
    body as MessageBody;
  const content = contentOf(type, rest[type], contextMessageId !== undefined);
  return { to, content, phoneNumberId, contextMessageId, clientReference };
};

type TemplateLookups = Pick<Lookups, 'numbers' | 'templates'>;

/** The category of what would go out, and what stands in its way now. */
interface Look {
  category: Category;
  problems: string[];
}

const problemsOf = (number: object | undefined, isApproved: boolean): string[] => {
  if (!number) return ['no_phone'];
  return isApproved ? [] : ['template_not_approved'];
};

export const lookAtEvent = async (
  lookups: TemplateLookups,
  accountId: string,
  asked: Pick<NotificationRequest, 'event' | 'languageCode' | 'phoneNumberId'>,
): Promise<Look> => {
  const { event, languageCode, phoneNumberId } = asked;
  const entry = findEvent(event);
  if (!entry) throw unknownEvent(event);
  const number = await findConfiguredNumber(lookups, accountId, phoneNumberId);
  const row = await knownTemplate(lookups, number, entry, { accountId, languageCode });
  return { category: categoryOf(row, entry), problems: problemsOf(number, row !== undefined) };
};

export const lookAt = async (
  lookups: TemplateLookups,
  accountId: string,
  kind: ScheduleKind,
  body: ScheduleBody,
): Promise<Look> => {
  if (kind === 'notification') return lookAtEvent(lookups, accountId, notificationOf(body));
  const { content, phoneNumberId } = messageOf(body);
  const number = await findConfiguredNumber(lookups, accountId, phoneNumberId);
  if (content.type !== 'template')
    return { category: 'SERVICE', problems: problemsOf(number, true) };
  const { name, language } = content;
  const rows = number ? await lookups.templates(number.wabaId, name) : [];
  const row = rows.find((one) => one.language === language && isVisibleTo(accountId, one));
  return {
    category: row ? categoryOfTemplate(row) : DEAREST,
    problems: problemsOf(number, row?.status === 'APPROVED'),
  };
};

/** A scheduled send that has not ended. */
export interface WaitingSend extends DueRow {
  scheduleId: string;
  accountId: string;
  contactRef: string;
  phoneNumberId: string | null;
}

/** What the read models tell of scheduled sends. */
export interface ScheduledLookups extends DueRows<WaitingSend> {
  /** How many of an account wait. */
  count(accountId: string): Promise<number>;
}

/** Sends of an account that wait at one time. */
export const WAITING_MAX = 50_000;
/** A body up to this size costs no free writes unless it comes to nothing: so many may wait. */
export const FREE_BYTES = 4096;
/** Accounts whose waiting sends are counted in memory. */
const COUNTED_MAX = 10_000;
/** Counted again after this share of the room. */
const COUNTED_SHARE = 0.1;

interface Deps {
  writer: Pick<Writer, 'execute' | 'load'>;
  lookups: Pick<Lookups, 'numbers' | 'templates' | 'windowExpiresAt'>;
  scheduled: Pick<ScheduledLookups, 'count'>;
  contacts: Pick<Contacts, 'find'>;
  /** Knows what an earlier run of an idempotent request has sent, or written. */
  runs: Pick<ClaimedRuns, 'sentEarlier' | 'termOf' | 'wroteEarlier'>;
  subjects: Pick<Subjects, 'of' | 'ofRef'>;
  freeWrites: Pick<FreeWrites, 'run' | 'count'>;
  clock: Clock;
  ids: Pick<Ids, 'uuid'>;
  /** Fewer, for tests. */
  waitingMax?: number | undefined;
}

/** Who sends, and whether an earlier run of the request was interrupted: it came in time. */
type HoldContext = AccountContext & { resumed?: boolean | undefined };

/** A scheduled send as its caller sees it. */
export interface Scheduled extends Pick<ScheduledSend, 'dueAt' | 'timeZone' | 'rule'> {
  id: string;
  problems?: string[];
}

const shown = ({ scheduleId, dueAt, timeZone, rule, problems }: ScheduledSend): Scheduled => ({
  id: scheduleId,
  dueAt,
  timeZone,
  rule,
  ...(problems.length > 0 && { problems }),
});

/** What is kept of a body: what the send needs, and no more. */
const keptOf = (kind: ScheduleKind, body: ScheduleBody): Record<string, unknown> => {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined) kept[name] = value;
  }
  delete kept.dryRun;
  if (kind === 'notification') {
    const { event, variables } = notificationOf(body);
    const names = findEvent(event)?.variables ?? [];
    const given = names.filter((name) => Object.hasOwn(variables, name));
    // What is no scalar counts as blank, as in a send.
    const isScalar = (name: string) => typeof variables[name] !== 'object';
    kept.variables = Object.fromEntries(
      given.filter(isScalar).map((name) => [name, variables[name]]),
    );
  }
  return kept;
};

/** The time of a send that is not to wait any longer. */
const dueNow = (
  { timeZone }: ScheduledSend,
  timing: Timing,
  category: Category,
  now: number,
): Planned => ({
  dueAt: isoTime(now),
  notAfter: isoTime(endOf(timing, category, now)),
  timeZone,
  rule: { by: 'sendAt', text: 'as asked' },
});

/** What an account may take before its waiting sends are counted again. */
interface Room {
  left: number;
  /** Sends that were taken, and may not be in the log yet. */
  writing: Set<Promise<unknown>>;
  counting?: Promise<void> | undefined;
}

/** Keeps an account below the bound without a count for each send, also where many come at once. */
const createRooms = ({ scheduled, waitingMax = WAITING_MAX }: Deps) => {
  const rooms = new LRUCache<string, Room>({ max: COUNTED_MAX });

  const count = async (accountId: string, room: Room): Promise<void> => {
    // The count sees what the log holds.
    await Promise.allSettled(room.writing);
    const free = waitingMax - (await scheduled.count(accountId));
    if (free < 1) {
      throw new AppError(
        'schedule.full',
        `${waitingMax} sends of this account wait for their time already`,
        { limit: 'scheduled' },
      );
    }
    room.left = Math.max(1, Math.floor(free * COUNTED_SHARE));
  };

  return async <T>(accountId: string, write: () => Promise<T>): Promise<T> => {
    const room = rooms.get(accountId) ?? { left: 0, writing: new Set() };
    rooms.set(accountId, room);
    // Each count leaves room for one of those who wait for it, or refuses them all.
    while (room.left < 1) {
      room.counting ??= count(accountId, room).finally(() => {
        room.counting = undefined;
      });
      await room.counting;
    }
    room.left -= 1;
    const writing = write();
    room.writing.add(writing);
    return writing.finally(() => room.writing.delete(writing));
  };
};

/** Takes sends that are to go out later, changes and cancels them. */
export const createSchedules = (deps: Deps) => {
  const { writer, lookups, runs, subjects, freeWrites, clock, ids } = deps;
  const inRoom = createRooms(deps);

  /** A free-form message cannot go out after its window has closed. */
  const mustBeOpen = async (
    { to, phoneNumberId }: ScheduleBody,
    { dueAt }: Pick<Planned, 'dueAt'>,
    context: AccountContext,
  ): Promise<void> => {
    const number = await findConfiguredNumber(lookups, context.accountId, phoneNumberId);
    const closesAt = number && (await windowOf(deps, number, parseContact(to), context));
    if (!number || (closesAt != null && closesAt > Date.parse(dueAt))) return;
    const until = closesAt == null ? 'is closed' : `closes at ${isoTime(closesAt)}`;
    throw invalidFields({
      sendAt: [`the 24-hour window of this customer ${until}: only a template can be sent later`],
    });
  };

  const planned = async (
    kind: ScheduleKind,
    body: ScheduleBody,
    account: AccountHours,
    { context, isTaken = false }: { context: AccountContext; isTaken?: boolean },
  ) => {
    const { category, problems } = await lookAt(lookups, context.accountId, kind, body);
    const now = clock.now();
    const to = parseContact(body.to);
    const plan = planSend({ timing: body, to, category, account, now }, isTaken);
    // Of one that was taken before too: it cannot go out any more.
    mustEndAfter(body, plan ? Date.parse(plan.dueAt) : now);
    if (plan && category === 'SERVICE') await mustBeOpen(body, plan, context);
    return { plan, category, problems };
  };

  /** What waits is bounded by its number, a large body by the free writes. */
  const keep = async <T>(accountId: string, send: ScheduledSend, write: () => Promise<T>) => {
    const bytes = bytesOf(send);
    const written = await freeWrites.run(accountId, write);
    if (bytes > FREE_BYTES) freeWrites.count(accountId, bytes);
    return written;
  };

  /** The event's send, and whose keys seal it: those of contacts that it names too. */
  const sealable = async (
    send: Omit<ScheduledSend, 'request'>,
    body: ScheduleBody,
    subject: DataSubject,
  ): Promise<{ send: ScheduledSend; subjects: readonly DataSubject[] }> => {
    const { accountId, kind } = send;
    const request = keptOf(kind, body);
    if (kind === 'notification') return { send: { ...send, request }, subjects: [subject] };
    const own = { accountId, subject, ids: new Set([parseContact(body.to)]) };
    const {
      kept,
      fields,
      subjects: others,
    } = await nameOthers(subjects, own, request, ['request']);
    return { send: { ...send, ...fields, request: kept }, subjects: [subject, ...others] };
  };

  return {
    /**
     * Takes a send that is not to go out now; undefined for one that is, or that has gone out: its
     * send finds that message. Throws where it can never go out. Of a repeated request, what its first
     * run has taken or sent is not planned again: the hours may have changed since.
     */
    async hold(
      kind: ScheduleKind,
      body: ScheduleBody,
      account: AccountHours,
      { resumed = false, ...context }: HoldContext,
    ): Promise<Scheduled | undefined> {
      const { accountId, claim } = context;
      const part = claim?.part === undefined ? '' : `-${claim.part}`;
      const scheduleId = `sch_${claim ? `${claim.id}${part}` : ids.uuid()}`;
      const id = inAccount(accountId, scheduleId);
      if (claim && resumed) {
        const taken = (await writer.load(scheduleDecider, id)).state.send;
        if (taken) return shown(taken);
        if (await runs.sentEarlier(claim, context)) return undefined;
      }
      const { plan, category, problems } = await planned(kind, body, account, {
        context,
        isTaken: resumed,
      });
      if (!plan) return undefined;
      if (body.quoteId !== undefined) {
        const problem = `is of a send of now, and this one is due at ${plan.dueAt}`;
        throw invalidFields({ quoteId: [problem] });
      }
      return inRoom(accountId, async () => {
        const subject = await subjects.of(accountId, parseContact(body.to));
        const head = {
          scheduleId,
          accountId,
          contactRef: subject.ref,
          kind,
          event: kind === 'notification' ? notificationOf(body).event : null,
          category,
          phoneNumberId: body.phoneNumberId ?? null,
          ...plan,
          problems,
        };
        const { send, subjects: sealing } = await sealable(head, body, subject);
        const on = { ...context, countsAsFree: false, subjects: sealing };
        const command = { type: 'Schedule' as const, send, isOwn: () => isOwn(runs, claim) };
        const { state } = await keep(accountId, send, () =>
          writer.execute(scheduleDecider, id, command, on, { assumeNew: true }),
        );
        return shown(state.send ?? send);
      });
    },

    /** The kind of a scheduled send. Throws for one that is not the account's. */
    async kindOf(accountId: string, scheduleId: string): Promise<ScheduleKind> {
      const { state } = await writer.load(scheduleDecider, inAccount(accountId, scheduleId));
      if (!state.send) throw unknownSchedule();
      return state.send.kind;
    },

    /** Changes a send that waits: `change` gets the body as it was taken. Without a time it is due now. */
    async change(
      scheduleId: string,
      change: (body: object) => ScheduleBody,
      account: AccountHours,
      context: AccountContext,
    ): Promise<void> {
      const { accountId, claim } = context;
      const id = inAccount(accountId, scheduleId);
      // An earlier run of the request has changed it, and it may have gone out since.
      const stream = `${scheduleDecider.category}-${id}`;
      if (claim && (await runs.wroteEarlier(claim, stream))) return;
      const { send: before, phase } = (await writer.load(scheduleDecider, id)).state;
      if (!before) throw unknownSchedule();
      if (phase !== 'waiting' || isErased(before)) throw conflictOf(phase);
      const body = change(before.request!);
      const isTaken = body.sendAt === before.request!.sendAt;
      const { plan, category, problems } = await planned(before.kind, body, account, {
        context,
        isTaken,
      });
      const subject = await subjectOf(subjects, accountId, before.contactRef);
      if (!subject) throw conflictOf('erased');
      const { named: _, otherRefs: __, request: ___, ...head } = before;
      const after = {
        ...head,
        category,
        phoneNumberId: body.phoneNumberId ?? null,
        ...(plan ?? dueNow(before, body, category, clock.now())),
        problems,
      };
      const { send, subjects: sealing } = await sealable(after, body, subject);
      const on = { ...context, subjects: sealing };
      const command = { type: 'Change' as const, before, send };
      // Each change counts by itself, whatever its size.
      await freeWrites.run(accountId, () => writer.execute(scheduleDecider, id, command, on));
    },

    async cancel(scheduleId: string, context: AccountContext): Promise<void> {
      const { accountId } = context;
      const id = inAccount(accountId, scheduleId);
      const command = { type: 'Cancel' as const, at: isoTime(clock.now()) };
      const on = { ...context, countsAsFree: false };
      const { facts, state } = await writer.execute(scheduleDecider, id, command, on);
      if (facts.length > 0) freeWrites.count(accountId, bytesOf(state.send));
    },
  };
};

export type Schedules = ReturnType<typeof createSchedules>;
