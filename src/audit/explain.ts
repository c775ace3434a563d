import { standardPlan } from '../commands/pricing/pricing.ts';
import { templateIdOf } from '../commands/templates/template.ts';
import { refundWordOf } from '../events/account.ts';
import { type ReservedCharge, readCharge } from '../events/completed.ts';
import { conversationIdOf, conversationStream, expandSteps } from '../events/conversation.ts';
import type { EventOf, KnownEvent } from '../events/index.ts';
import { isOfNumber } from '../events/message.ts';
import { firstRevision, streamPages } from '../events/paging.ts';
import type { PlanTerms } from '../events/pricing.ts';
import type { EventReader, Position } from '../events/store.ts';
import { messageStream } from '../events/streams.ts';
import { formatMicros, inUnit } from '../shared/decimal.ts';
import { planPublished } from './read-statement.ts';

// Why a message went out as it did, at its price: each rule with the event that it came from.

/** An event of the log. */
export interface Source {
  type: string;
  position: Position;
  at: string;
}

export interface Rule {
  rule: string;
  value: string;
  why: string;
  /** Null for what is built in, and what is not in the log. */
  event: Source | null;
}

/** What is known of an outbound message. */
export interface Explained {
  accountId: string;
  messageRef: string;
  phoneNumberId: string | null;
  contactRef: string;
  chargeId: string | null;
}

type Log = Pick<EventReader, 'read'>;

const sourceOf = ({ type, position, meta }: KnownEvent): Source => ({
  type,
  position,
  at: meta.at,
});

const is = <T extends KnownEvent['type']>(event: KnownEvent, ...types: T[]): event is EventOf<T> =>
  (types as string[]).includes(event.type);

/** Events of one stream that are searched at most, from the charge backwards. */
const SEARCHED_MAX = 5_000;

/** The last event of a stream before a position, or from a revision backwards, that is wanted. */
const lastBefore = async <E extends KnownEvent>(
  log: Log,
  stream: string,
  {
    from = Number.MAX_SAFE_INTEGER,
    before,
  }: { from?: number | undefined; before?: Position | undefined },
  wanted: (event: KnownEvent) => event is E,
): Promise<E | undefined> => {
  const paging = { from, direction: 'backwards', eventsMax: SEARCHED_MAX } as const;
  for await (const page of streamPages(log, stream, paging)) {
    for (const event of (page as readonly KnownEvent[]).flatMap<KnownEvent>(expandSteps)) {
      if (before !== undefined && event.position >= before) continue;
      if (wanted(event)) return event;
    }
  }
  return undefined;
};

/** The version of a plan; a built-in one has no event. */
const planRule = async (log: Log, { data: { price } }: ReservedCharge): Promise<Rule> => {
  const { planId, planVersion } = price;
  const published = await planPublished(log, price);
  const terms: PlanTerms | undefined = published?.data ?? standardPlan;
  const value = `${planId} version ${planVersion}`;
  const markup = `${terms.markup / 10_000} % on the provider's cost`;
  const credit =
    terms.creditValue === null
      ? ''
      : `, a credit is worth ${formatMicros(terms.creditValue)} ${terms.currency}`;
  const why = published ? `${markup}${credit}` : `The built-in plan: ${markup}${credit}`;
  return { rule: 'plan', value, why, event: published ? sourceOf(published) : null };
};

const priceRule = async (log: Log, charge: ReservedCharge): Promise<Rule> => {
  const {
    category,
    market,
    rateCardId,
    providerCost,
    sellPrice,
    currency,
    creditsRequired,
    billing,
  } = charge.data.price;
  const [card] = (
    rateCardId === null ? [] : await log.read(`ratecard-${rateCardId}`, { limit: 1 })
  ) as readonly KnownEvent[];
  const credits = billing === 'credits' ? `, which takes ${creditsRequired} credits` : '';
  const ofCard = `The row ${market}, ${category} of rate card ${rateCardId ?? 'none'} is ${formatMicros(providerCost)} ${currency}`;
  return {
    rule: 'price',
    value: `${formatMicros(sellPrice)} ${currency}`,
    why: `${ofCard}; with the markup of the plan ${formatMicros(sellPrice)}${credits}`,
    event: card ? sourceOf(card) : null,
  };
};

const capText = (name: string, cap: number | null) => `${name} ${cap ?? 'without a cap'}`;

const accountRules = async (log: Log, charge: ReservedCharge): Promise<Rule[]> => {
  const { stream, revision, data } = charge;
  const shown = (amount: number) => String(inUnit(data.price.billing, amount));
  const before = { from: revision - 1 };
  const limits = await lastBefore(log, stream, before, (event) => is(event, 'LimitsSet'));
  const strict = await lastBefore(log, stream, before, (event) => is(event, 'StrictSendingSet'));
  const { perMinute = null, daily = null, monthly = null } = limits?.data ?? {};
  const caps = [
    capText('per minute', perMinute),
    capText('per day', daily),
    capText('per month', monthly),
  ];
  return [
    {
      rule: 'caps',
      value: caps.join(', '),
      why: limits
        ? 'The last limits of the account before the send; it did not pass them'
        : `No limits are set among the ${SEARCHED_MAX} events of the account before the send`,
      event: limits ? sourceOf(limits) : null,
    },
    {
      rule: 'strict',
      value: strict?.data.strict ? 'on' : 'off',
      why: 'The default of the account, unless the request said otherwise',
      event: strict ? sourceOf(strict) : null,
    },
    {
      rule: 'balance',
      value: shown(data.balanceAfter),
      why: `${shown(data.balanceAfter - data.amount)} before the reservation, which took ${shown(0 - data.amount)}`,
      event: sourceOf(charge),
    },
  ];
};

const templateRule = async (
  log: Log,
  { position }: ReservedCharge,
  { name, language, wabaId = '' }: { name: string; language: string; wabaId: string | undefined },
): Promise<Rule> => {
  const stream = `template-${templateIdOf({ wabaId, name, language })}`;
  const found = await lastBefore(log, stream, { before: position }, (event) =>
    is(
      event,
      'TemplateSubmitted',
      'TemplateAdopted',
      'TemplateStatusChanged',
      'TemplateRecategorised',
    ),
  );
  const state = found && 'status' in found.data ? found.data.status : 'as before';
  const why = found
    ? `The last that was known of it: ${found.type === 'TemplateRecategorised' ? `category ${found.data.category}` : state}`
    : 'Nothing of it is in the log: it was read from the provider';
  return {
    rule: 'template',
    value: `${name} ${language}`,
    why,
    event: found ? sourceOf(found) : null,
  };
};

const directRule = async (log: Log, { stream, revision }: ReservedCharge): Promise<Rule> => {
  const before = { from: revision - 1 };
  const allowed = await lastBefore(log, stream, before, (event) => is(event, 'DirectSendSet'));
  return {
    rule: 'template',
    value: 'none',
    why: 'The account may send in and out of the window without an approved template',
    event: allowed ? sourceOf(allowed) : null,
  };
};

const paceRule = (linked: EventOf<'PhoneLinked'>): Rule => ({
  rule: 'pace',
  value: `${linked.data.messagesPerSecond} a second`,
  why: 'More than that wait for their turn at the number',
  event: sourceOf(linked),
});

const HOUR_MS = 3_600_000;
const WINDOW_HOURS = 24;

const windowRule = async (
  log: Log,
  charge: ReservedCharge,
  { accountId, phoneNumberId, contactRef }: Explained,
): Promise<Rule> => {
  const id = conversationIdOf({ accountId, phoneNumberId: phoneNumberId ?? '', contactRef });
  const heard = await lastBefore(
    log,
    conversationStream(id),
    { before: charge.position },
    (event) => is(event, 'MessageReceived'),
  );
  const closes = heard && Date.parse(heard.data.receivedAt) + WINDOW_HOURS * HOUR_MS;
  return {
    rule: 'window',
    value: closes === undefined ? 'unknown' : `open until ${new Date(closes).toISOString()}`,
    why: `A message without a template needs one of the contact in the ${WINDOW_HOURS} hours before`,
    event: heard ? sourceOf(heard) : null,
  };
};

const EVENTS_MAX = 200;

/** What became of it: the record, the statuses and the refund. */
const outcomeRules = async (log: Log, message: Explained): Promise<Rule[]> => {
  const { accountId, messageRef } = message;
  const stream = messageStream(accountId, messageRef);
  const own = (await log.read(stream, { limit: EVENTS_MAX })) as readonly KnownEvent[];
  return own.flatMap((event): Rule[] => {
    if (event.type === 'MessageSent') {
      const { tookMs } = event.data;
      const call =
        tookMs === undefined ? '' : `; its call took ${tookMs} ms, any repetition included`;
      const why = `The provider accepted the message${call}`;
      return [{ rule: 'sent', value: 'sent', why, event: sourceOf(event) }];
    }
    if (event.type !== 'StatusUpdated' || !isOfNumber(message, event.data)) return [];
    const { status, statusAt, errorCode } = event.data;
    const why = `The provider said so, for ${statusAt}`;
    const value = errorCode === undefined ? status : `${status} (${errorCode})`;
    return [{ rule: 'status', value, why, event: sourceOf(event) }];
  });
};

/** The refund at a position of the log; none without one. */
const refundRule = async (
  log: Log,
  { stream, data: { price } }: ReservedCharge,
  at: Position | undefined,
): Promise<Rule[]> => {
  if (at === undefined) return [];
  const from = await firstRevision(log, stream, ({ position }) => position >= at);
  const [event] = (await log.read(stream, { from, limit: 1 })) as readonly KnownEvent[];
  if (event?.type !== 'ChargeRefunded') return [];
  const value = refundWordOf(event.data.cause);
  const why = `${inUnit(price.billing, event.data.amount)} were given back`;
  return [{ rule: 'refund', value, why, event: sourceOf(event) }];
};

/** The rules of an outbound message, in the order in which they were asked; `refundedAt` is in the log. */
export const explain = async (
  log: Log,
  message: Explained,
  refundedAt: Position | undefined,
): Promise<Rule[]> => {
  const { accountId, chargeId } = message;
  const charge = chargeId === null ? undefined : await readCharge(log, { accountId, chargeId });
  if (!charge) return outcomeRules(log, message);
  const { content, direct, phoneNumberId } = charge.data.outline;
  const { name, language } = content;
  const before = { before: charge.position };
  const linked = await lastBefore(log, `phone-${phoneNumberId}`, before, (event) =>
    is(event, 'PhoneLinked'),
  );
  const channel = () => {
    if (direct) return directRule(log, charge);
    if (name === undefined || language === undefined) return windowRule(log, charge, message);
    return templateRule(log, charge, { name, language, wabaId: linked?.data.wabaId });
  };
  return [
    await planRule(log, charge),
    await channel(),
    await priceRule(log, charge),
    ...(await accountRules(log, charge)),
    ...(linked ? [paceRule(linked)] : []),
    ...(await outcomeRules(log, message)),
    ...(await refundRule(log, charge, refundedAt)),
  ];
};
