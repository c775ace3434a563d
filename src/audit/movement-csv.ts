import { timeOf } from '../commands/account/funds.ts';
import { refundWordOf } from '../events/account.ts';
import type { KnownEvent } from '../events/index.ts';
import type { Recorded } from '../events/store.ts';
import { amountCell } from '../shared/csv.ts';
import { formatMicros } from '../shared/decimal.ts';
import { CLOCKS_DIFFER_MS, mustBeReadable } from './account-start.ts';
import { actorText, isMoneyEvent, type MoneyEvent, type Movement, movementOf } from './movement.ts';
import type { Unit } from './statement.ts';

const columns = [
  'position',
  'revision',
  'entryId',
  'at',
  'type',
  'amount',
  'balanceAfter',
  'billing',
  'reason',
  'chargeId',
  'sequence',
  'hash',
  'currency',
  'category',
  'country',
  'market',
  'price',
  'providerCost',
  'plan',
  'planVersion',
  'rateCard',
  'grantedBy',
  'messageId',
  'cause',
  'account',
  'erased',
] as const;

type Cells = Readonly<Record<string, string | number | null>>;

const pricedCells = (event: MoneyEvent): Cells => {
  if (!('price' in event.data)) {
    const { grantedBy } = event.data;
    return { grantedBy: grantedBy && actorText(grantedBy) };
  }
  const { price } = event.data;
  return {
    category: price.category,
    country: price.countryCode,
    market: price.market,
    plan: price.planId,
    planVersion: price.planVersion,
    rateCard: price.rateCardId,
    cause: event.type === 'ChargeRefunded' ? refundWordOf(event.data.cause) : null,
  };
};

const moneyCells = (event: MoneyEvent, { billing, amount, balanceAfter }: Movement) => ({
  ...(billing === 'wallet' && {
    amount: formatMicros(amount),
    balanceAfter: formatMicros(balanceAfter),
  }),
  ...('price' in event.data && {
    price: formatMicros(event.data.price.sellPrice),
    providerCost: formatMicros(event.data.price.providerCost),
  }),
});

/** An event of an account, and the ids of the messages that charges near it paid; null where erased. */
export interface WithMessages {
  event: Recorded;
  messageIds: Readonly<Record<string, string | null>>;
}

/** What to write, of an account that counts in `unit` before the first event. */
interface MovementPeriod {
  unit?: Unit | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

const lineOf = (
  event: MoneyEvent,
  { unit, messageId }: { unit: Unit | undefined; messageId: string | null | undefined },
): string | undefined => {
  const movement = movementOf(event);
  if (!movement) return undefined;
  const currency = 'price' in event.data ? event.data.price.currency : (unit?.currency ?? null);
  const cells: Cells = {
    ...movement,
    ...pricedCells(event),
    currency,
    messageId: messageId ?? null,
    account: event.data.accountId,
    erased: messageId === undefined ? null : String(messageId === null),
    ...moneyCells(event, movement),
  };
  return columns.map((column) => amountCell(cells[column])).join(',');
};

/** A line for each movement of the period. */
export async function* movementCsv(
  events: AsyncIterable<WithMessages>,
  { unit: unitBefore, since = '', until }: MovementPeriod,
): AsyncGenerator<string, void, void> {
  const lastMs = until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until);
  let unit = unitBefore;
  yield columns.join(',');
  for await (const { event: recorded, messageIds } of events) {
    const event = recorded as KnownEvent;
    mustBeReadable(event);
    const time = timeOf(event);
    if (Date.parse(time) >= lastMs + CLOCKS_DIFFER_MS) return;
    if (event.type === 'AccountOpened' || event.type === 'PlanAssigned') unit = event.data;
    if (!isMoneyEvent(event) || time < since) continue;
    if (until !== undefined && time >= until) continue;
    const chargeId = 'chargeId' in event.data ? event.data.chargeId : '';
    const line = lineOf(event, { unit, messageId: messageIds[chargeId] });
    if (line !== undefined) yield line;
  }
}
