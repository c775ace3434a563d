import { timeOf } from '../commands/account/funds.ts';
import { ISSUER_STREAM } from '../commands/core/issuer.ts';
import { standardPlan } from '../commands/pricing/pricing.ts';
import { defaultRateCard } from '../commands/pricing/rate-card.ts';
import { readCharge } from '../events/completed.ts';
import type { EventOf, KnownEvent } from '../events/index.ts';
import { streamPages } from '../events/paging.ts';
import type { Price } from '../events/price.ts';
import type { PlanTerms, RateCard } from '../events/pricing.ts';
import type { EventReader, Position } from '../events/store.ts';
import { AppError } from '../shared/errors.ts';
import { CLOCKS_DIFFER_MS, mustBeReadable, revisionAt, startAt } from './account-start.ts';
import { isMoneyEvent } from './movement.ts';
import {
  type CreditValueOf,
  createStatement,
  type Period,
  type PlanVersion,
  type Statement,
  type StatementSeal,
  type Unit,
} from './statement.ts';

// Finds the events of a period in the stream of its account. A movement belongs to the period of its
// time, as in lists and exports, wherever it is in the stream.

/** The first seal at or after a time; null while there is none. */
export type SealAfter = (time: string) => Promise<StatementSeal | null>;

interface StatementOptions {
  sealAfter: SealAfter;
  /** Events of a page. */
  pageSize?: number;
  signal?: AbortSignal;
  /** Called after each page with the part that is done, from 0 to 1. */
  onProgress?: (fraction: number, events: number) => void;
}

/** An end of a period. What came after the seal of that time is of later periods, whatever its time. */
export interface Edge {
  time: string;
  seal: StatementSeal | null;
}

export const isBefore = ({ time, seal }: Edge, event: KnownEvent): boolean =>
  timeOf(event) < time && (seal === null || event.position <= seal.position);

type Log = Pick<EventReader, 'read'>;

type WentOut = EventOf<'RefundedSendCounted'>;

/** Counts the events of an account that are between two edges, and those before as its opening. */
export const createPeriodCount = (
  start: Unit & { balance: number },
  { from, to }: { from: Edge; to: Edge },
  priceOf: (event: WentOut) => Price | undefined | Promise<Price | undefined>,
) => {
  const count = createStatement(start, start.balance);
  return {
    end: count.end,
    async take(event: KnownEvent): Promise<void> {
      mustBeReadable(event);
      if (!isBefore(to, event)) return;
      const isEarlier = isBefore(from, event);
      if (event.type === 'AccountOpened' || event.type === 'PlanAssigned') {
        count.setUnit(event.data);
      } else if (isMoneyEvent(event)) {
        if (isEarlier) count.movedBefore(event.data.amount);
        else count.link(event);
      } else if (event.type === 'RefundedSendCounted' && !isEarlier) {
        const price = await priceOf(event);
        if (price) count.wentOut(price);
      }
    },
  };
};

/** The event of a version of a plan, which the log keeps for ever; a built-in one has none. */
export const planPublished = async (
  log: Log,
  { planId, planVersion }: PlanVersion,
): Promise<EventOf<'PlanPublished'> | undefined> => {
  const place = { from: Math.max(0, planVersion - 2), limit: 2 };
  const events = (await log.read(`plan-${planId}`, place)) as readonly KnownEvent[];
  return events.find(
    (event): event is EventOf<'PlanPublished'> =>
      event.type === 'PlanPublished' && event.data.planVersion === planVersion,
  );
};

/** The terms of a version of a plan; undefined where they are not known. */
export const termsOf = async (log: Log, plan: PlanVersion): Promise<PlanTerms | undefined> => {
  const published = await planPublished(log, plan);
  const { planId, planVersion } = standardPlan;
  const isBuiltIn = plan.planId === planId && plan.planVersion === planVersion;
  return published?.data ?? (isBuiltIn ? standardPlan : undefined);
};

/** A published rate card, or the built-in one. Throws for an unknown one. */
export const readCard = async (log: Log, rateCardId: string): Promise<RateCard> => {
  if (rateCardId === defaultRateCard.rateCardId) return defaultRateCard;
  const [event] = (await log.read(`ratecard-${rateCardId}`, { limit: 1 })) as readonly KnownEvent[];
  if (event?.type === 'RateCardPublished') return event.data;
  throw new AppError('resource.unknown', 'Rate card not found');
};

export const creditValues =
  (log: Log): CreditValueOf =>
  async (plan) => {
    const terms = await termsOf(log, plan);
    if (terms?.creditValue) return terms.creditValue;
    const { planId, planVersion } = plan;
    const what = `The log has no value of a credit for version ${planVersion} of plan ${planId}`;
    throw new AppError('resource.conflict', what);
  };

/** An issuer, from a position of the log on. */
interface NamedIssuer {
  position: Position;
  issuer: NonNullable<Statement['issuer']>;
}

export const readIssuers = async (log: Log): Promise<NamedIssuer[]> => {
  const named: NamedIssuer[] = [];
  for await (const page of streamPages(log, ISSUER_STREAM)) {
    for (const { type, data, position } of page as readonly KnownEvent[]) {
      if (type === 'IssuerNamed') named.push({ position, issuer: data });
    }
  }
  return named;
};

/** Who issued statements at an edge. */
export const issuerAt = (named: readonly NamedIssuer[], { seal }: Edge): Statement['issuer'] =>
  named.findLast(({ position }) => seal === null || position <= seal.position)?.issuer ?? null;

/** The account and its organisation, whose names never change. */
export const ownersOf = async (
  log: Log,
  accountId: string,
): Promise<Pick<Statement, 'account' | 'organisation'>> => {
  const [opened] = (await log.read(`account-${accountId}`, { limit: 1 })) as KnownEvent[];
  const { organisationId: id, name } = (opened as EventOf<'AccountOpened'>).data;
  const [created] = (await log.read(`organisation-${id}`, { limit: 1 })) as KnownEvent[];
  const isThere = created?.type === 'OrganisationCreated';
  return {
    account: { id: accountId, name },
    organisation: { id, name: isThere ? created.data.name : id },
  };
};

/**
 * Counts a period of an account from its stream, the versions of its plans, and names: reads the events of the period, those within
 * 30 minutes of its ends, and some 20 to find them. Undefined for an unknown account. The result is
 * the same for ever once a seal covers it.
 */
export const readStatement = async (
  log: Log,
  accountId: string,
  period: Period,
  { sealAfter, pageSize, signal, onProgress }: StatementOptions,
): Promise<Statement | undefined> => {
  const stream = `account-${accountId}`;
  const edgeAt = async (time: string): Promise<Edge> => ({ time, seal: await sealAfter(time) });
  const [from, to] = [await edgeAt(period.from), await edgeAt(period.to)];
  const start = await startAt(log, accountId, from.time);
  if (!start) return undefined;
  const first = start.revision;
  const end = await revisionAt(log, accountId, Date.parse(to.time) + CLOCKS_DIFFER_MS);
  const count = createPeriodCount(
    start,
    { from, to },
    async ({ data }) => (await readCharge(log, data))?.data.price,
  );
  const paging = { from: first, eventsMax: end - first, ...(pageSize && { pageSize }) };
  for await (const page of streamPages(log, stream, paging)) {
    signal?.throwIfAborted();
    for (const event of page as readonly KnownEvent[]) await count.take(event);
    const done = page.at(-1)!.revision + 1 - first;
    onProgress?.(done / (end - first), done);
  }
  const owners = await ownersOf(log, accountId);
  const issuer = issuerAt(await readIssuers(log), to);
  return { ...owners, issuer, period, ...(await count.end(creditValues(log))), seal: to.seal };
};
