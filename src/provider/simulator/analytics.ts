import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { type GraphAnswer, graphError, ok } from './answers.ts';
import type { Billing, Scenario } from './scenarios.ts';
import { type BilledVolume, remember, type SimulatedNumber, type World } from './world.ts';

/**
 * `category` is that of the message by its own template. A free-form message is free as long as its number
 * has not sent the free ones of the month.
 */
export const billingOf = (
  { settings, clock, serviceMessages }: World,
  { phoneNumberId }: Pick<SimulatedNumber, 'phoneNumberId'>,
  category: string,
  { billing }: Scenario,
): Billing => {
  const whole = { category, type: 'regular', told: 'all', counted: 1, ...billing } as const;
  if (category !== 'service') return whole;
  const key = `${phoneNumberId} ${new Date(clock.now()).toISOString().slice(0, 'yyyy-mm'.length)}`;
  const sent = (serviceMessages.get(key) ?? 0) + 1;
  remember(serviceMessages, key, sent);
  const isFree = sent <= settings.freeServiceMessages && billing?.type === undefined;
  return isFree ? { ...whole, type: 'free_customer_service' } : whole;
};

/** The pricing of a status; undefined where it has none. */
export const pricingOf = ({ category, type, told }: Billing): object | undefined => {
  if (told === 'nothing') return undefined;
  const billable = told === 'all' && { billable: type === 'regular' };
  return { ...billable, pricing_model: 'PMP', type, category };
};

// What the provider bills for delivered messages, counted by half hours.

const HALF_HOUR_S = 1800;
const DAY_S = 86_400;
const YEAR_S = 366 * DAY_S;
/** The same in every country: what matters to a service is that there is a cost. */
const costs: Readonly<Record<string, number>> = { MARKETING: 0.025, AUTHENTICATION: 0.0034 };
const OTHER_COST = 0.004;

const countryOf = (digits: string): string =>
  parsePhoneNumberFromString(`+${digits}`)?.country ?? 'ZZ';

/** Counts a message at its first proof of delivery. */
export const countDelivery = (
  world: World,
  message: {
    messageId: string;
    number: { wabaId: string; displayPhoneNumber: string };
    waId: string | null;
    billing: Billing;
  },
): void => {
  const { messageId, number, waId, billing } = message;
  if (world.delivered.has(messageId) || billing.counted === 0) return;
  remember(world.delivered, messageId, true);
  const now = Math.floor(world.clock.now() / 1000);
  const row = {
    start: now - (now % HALF_HOUR_S),
    wabaId: number.wabaId,
    phone: number.displayPhoneNumber.replaceAll(/\D/g, ''),
    country: countryOf(waId ?? ''),
    category: billing.category.toUpperCase().replaceAll('-', '_'),
    type: billing.type.toUpperCase(),
  };
  const key = JSON.stringify(Object.values(row));
  const volume = (world.billed.get(key)?.volume ?? 0) + billing.counted;
  remember(world.billed, key, { ...row, volume });
};

/** The end of the period that starts at `start`, and the start of that which holds `at`. */
const granularities: Readonly<Record<string, (at: number) => { start: number; end: number }>> = {
  HALF_HOUR: (at) => {
    const start = at - (at % HALF_HOUR_S);
    return { start, end: start + HALF_HOUR_S };
  },
  DAILY: (at) => ({ start: at - (at % DAY_S), end: at - (at % DAY_S) + DAY_S }),
  MONTHLY: (at) => {
    const day = new Date(at * 1000);
    const month = (more: number) => Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + more) / 1000;
    return { start: month(0), end: month(1) };
  },
};

/** The field of a point for each dimension that may be asked for. */
const dimensions: Readonly<Record<string, (row: BilledVolume) => object>> = {
  COUNTRY: ({ country }) => ({ country }),
  PHONE: ({ phone }) => ({ phone_number: phone }),
  PRICING_CATEGORY: ({ category }) => ({ pricing_category: category }),
  PRICING_TYPE: ({ type }) => ({ pricing_type: type }),
  TIER: () => ({ tier: '0:750000' }),
};

const costOf = ({ type, category, volume }: BilledVolume): number =>
  type === 'REGULAR' ? volume * (costs[category] ?? OTHER_COST) : 0;

/** The parameters behind `pricing_analytics`: `.start(1).dimensions(COUNTRY,PHONE)`. */
const parametersIn = (fields: string): Map<string, string[]> | undefined => {
  const [, calls] = /(?:^|,)pricing_analytics((?:\.\w+\([^)]*\))*)/.exec(fields) ?? [];
  if (calls === undefined) return undefined;
  const found = [...calls.matchAll(/\.(\w+)\(([^)]*)\)/g)];
  const listIn = (text = '') =>
    text
      .replaceAll(/["[\]\s]/g, '')
      .split(',')
      .filter(Boolean);
  return new Map(found.map(([, name = '', list]) => [name, listIn(list)]));
};

const refuse = (details: string): GraphAnswer => graphError(100, { details });

/** The analytics of a business account; undefined for a call that asks for other fields. */
export const readAnalytics = (
  world: World,
  wabaId: string,
  fields: string,
): GraphAnswer | undefined => {
  const asked = parametersIn(fields);
  if (!asked) return undefined;
  const [start, end] = [Number(asked.get('start')?.[0]), Number(asked.get('end')?.[0])];
  if (!(start < end)) return refuse('start and end must be times, and start the earlier one');
  if (start < world.clock.now() / 1000 - YEAR_S) return refuse('start is over a year ago');
  const periodOf = granularities[asked.get('granularity')?.[0] ?? ''];
  if (!periodOf) return refuse('granularity must be HALF_HOUR, DAILY or MONTHLY');
  const shown = asked.get('dimensions') ?? [];
  const unknown = shown.find((name) => !(name in dimensions));
  if (unknown !== undefined) return refuse(`there is no dimension ${unknown}`);
  const metrics = asked.get('metric_types') ?? ['VOLUME'];
  const [countries, phones] = [asked.get('country_codes'), asked.get('phone_numbers')];
  const isIn = (list: readonly string[] | undefined, value: string) =>
    list === undefined || list.length === 0 || list.includes(value);
  const points = new Map<string, { volume: number; cost: number; of: object }>();
  for (const row of world.billed.values()) {
    if (row.wabaId !== wabaId || row.start < start - (start % HALF_HOUR_S) || row.start >= end)
      continue;
    if (!isIn(countries, row.country) || !isIn(phones, row.phone)) continue;
    const of = Object.assign(periodOf(row.start), ...shown.map((name) => dimensions[name]!(row)));
    const key = JSON.stringify(of);
    const { volume, cost } = points.get(key) ?? { volume: 0, cost: 0 };
    points.set(key, { of, volume: volume + row.volume, cost: cost + costOf(row) });
  }
  const data_points = [...points.values()].map(({ of, volume, cost }) => ({
    ...of,
    ...(metrics.includes('VOLUME') && { volume }),
    ...(metrics.includes('COST') && { cost: Number(cost.toFixed(6)) }),
  }));
  return ok({ pricing_analytics: { data: [{ data_points }] }, id: wabaId });
};
