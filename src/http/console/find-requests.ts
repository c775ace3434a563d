import { revisionAt } from '../../audit/account-start.ts';
import type { KnownEvent } from '../../events/index.ts';
import { streamPages } from '../../events/paging.ts';
import type { EventReader, Position } from '../../events/store.ts';

// What a request did, by its id. Events hold it, and no index does: that would cost every message more
// than its searches are worth. So the id is looked for in a bounded part of each account's stream.

type Log = Pick<EventReader, 'read'>;

/** Newest events that are compared, of all accounts together: they take about 0.2 s. */
const NEWEST_MAX = 10_000;
/** Events of one page: others wait for one page at most, about 4 ms. */
const PAGE = 200;
/** Events of one account that are compared from the time on that an id of this service holds. */
const AROUND_MAX = 2_000;
/** An event is not this much older than the id of its request, where one clock made both. */
const CLOSE_MS = 2_000;
/** Clocks of instances differ by less, and a request takes less, as a rule. */
const BEFORE_MS = 60_000;
const AFTER_MS = 5 * 60_000;
/** Accounts that are looked through at a time. */
const AT_A_TIME = 16;

/** What a request charged. */
interface RequestedCharge {
  accountId: string;
  chargeId: string;
  /** What it was for. */
  reason: string;
  /** Of its reservation. */
  position: Position;
}

/** The time, in milliseconds since 1970, that an id of this service holds: it is a UUID of version 7. */
const timeIn = (requestId: string): number | undefined =>
  /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(requestId)
    ? Number.parseInt(requestId.replace('-', '').slice(0, 12), 16)
    : undefined;

const chargesIn = (
  events: readonly KnownEvent[],
  accountId: string,
  requestId: string,
): RequestedCharge[] =>
  events.flatMap(({ type, meta, data, position }) =>
    type === 'ChargeReserved' && meta.requestId === requestId
      ? [{ accountId, chargeId: data.chargeId, reason: data.reason, position }]
      : [],
  );

type Look = (accountId: string) => Promise<readonly RequestedCharge[]>;

/** Looks from one time to another, in milliseconds since 1970. */
const between =
  (log: Log, requestId: string, fromMs: number, toMs: number): Look =>
  async (accountId) => {
    const from = await revisionAt(log, accountId, fromMs);
    const paging = { from, eventsMax: AROUND_MAX, pageSize: PAGE };
    const found: RequestedCharge[] = [];
    for await (const page of streamPages(log, `account-${accountId}`, paging)) {
      found.push(...chargesIn(page as KnownEvent[], accountId, requestId));
      if (Date.parse(page.at(-1)!.meta.at) > toMs) break;
    }
    return found;
  };

/** Looks through the newest events: for ids that callers chose. */
const newest =
  (log: Log, requestId: string, eventsMax: number): Look =>
  async (accountId) => {
    const stream = `account-${accountId}`;
    const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
    if (!last) return [];
    const backwards = { direction: 'backwards', pageSize: PAGE } as const;
    const paging = { ...backwards, from: last.revision, eventsMax };
    const found: RequestedCharge[] = [];
    for await (const page of streamPages(log, stream, paging)) {
      found.push(...chargesIn(page as KnownEvent[], accountId, requestId));
    }
    return found;
  };

/** The charges in the first accounts that have any. */
const lookIn = async (accountIds: readonly string[], look: Look) => {
  for (let at = 0; at < accountIds.length; at += AT_A_TIME) {
    const found = await Promise.all(accountIds.slice(at, at + AT_A_TIME).map(look));
    if (found.some(({ length }) => length > 0)) return found.flat();
  }
  return [];
};

/** The charges of a request to one of the accounts. */
export const findRequest = async (
  log: Log,
  accountIds: readonly string[],
  requestId: string,
): Promise<readonly RequestedCharge[]> => {
  if (!/^[\w.-]{1,128}$/.test(requestId)) return [];
  const timeMs = timeIn(requestId);
  if (timeMs !== undefined) {
    // A minute of a busy account is more than is looked at: what is most likely comes first.
    const closeMs = timeMs - CLOSE_MS;
    const close = between(log, requestId, closeMs, timeMs + AFTER_MS);
    for (const look of [close, between(log, requestId, timeMs - BEFORE_MS, closeMs)]) {
      const found = await lookIn(accountIds, look);
      if (found.length > 0) return found;
    }
  }
  const each = Math.floor(NEWEST_MAX / Math.max(accountIds.length, 1));
  return lookIn(accountIds, newest(log, requestId, each));
};
