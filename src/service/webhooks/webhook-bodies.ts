import { pauseReasonOf } from '../../commands/account/evolve.ts';
import { isVisibleTo } from '../../commands/templates/template-owner.ts';
import type { BodyOf } from '../../commands/webhooks/ports.ts';
import { complete } from '../../events/completed.ts';
import { shownMessage } from '../../events/conversation.ts';
import type { EventOf, KnownEvent } from '../../events/index.ts';
import { streamPages } from '../../events/paging.ts';
import type { EventReader } from '../../events/store.ts';
import { idInStream } from '../../events/streams.ts';
import type { WebhookSource } from '../../events/webhook.ts';
import { presentMessages } from '../../http/v1/message-record.ts';
import { presentScheduled } from '../../http/v1/scheduled.ts';
import { accounts } from '../../projections/accounts.ts';
import type { Projection } from '../../projections/define.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { inboundKeyOf, messages } from '../../projections/messages.ts';
import { numbers } from '../../projections/numbers.ts';
import { scheduled } from '../../projections/scheduled.ts';
import { templateId, templates } from '../../projections/templates.ts';
import { formatMicros, inUnit } from '../../shared/decimal.ts';
import { graphBodyOf } from './graph-bodies.ts';

/** Events of an account that are read at one time, back to the last change of its limits. */
const ACCOUNT_PAGE = 50;

interface Deps {
  /** With personal data in clear, or null once it is erased. */
  store: Pick<EventReader, 'read'>;
  reader: Pick<Reader, 'getMany'>;
}

/** What an account may see of an event; null where that is nothing. */
type Data = Record<string, unknown> | null;

/** One document, folded out of these events alone. */
const foldOf = <Doc>(
  projection: Projection<Doc>,
  id: string,
  events: readonly KnownEvent[],
): Doc | undefined => {
  let document: Doc | undefined;
  for (const event of events) {
    const handler = projection.on[event.type] as
      | { key(of: KnownEvent): string | readonly string[]; fold(...of: unknown[]): unknown }
      | undefined;
    if (!handler || ![handler.key(event)].flat().includes(id)) continue;
    document = (handler.fold(document, event, id, () => undefined) as Doc | null) ?? undefined;
  }
  return document;
};

const eventOf = async ({ store }: Deps, { stream, revision, eventId }: WebhookSource) => {
  const [event] = await store.read(stream, { from: revision, limit: 1 });
  return event?.id === eventId ? (event as KnownEvent) : undefined;
};

/** The events of a stream up to a revision. */
const historyOf = async ({ store }: Deps, stream: string, upTo: number) => {
  const events: KnownEvent[] = [];
  for await (const page of streamPages(store, stream, { eventsMax: upTo + 1 })) {
    events.push(...(page as KnownEvent[]));
  }
  return events;
};

const record = async (
  { reader, store }: Deps,
  accountId: string,
  document: unknown,
): Promise<Data> => {
  const [row] = await presentMessages(
    { models: reader, store },
    [document as never].filter(Boolean),
  );
  return row?.accountId === accountId ? { ...row.shown } : null;
};

const ofReceived = async (
  deps: Deps,
  accountId: string,
  event: EventOf<'MessageReceived'>,
): Promise<Data> => {
  const { data } = event;
  const id = inboundKeyOf(data.accountId, data.messageRef);
  const shown = await record(deps, accountId, foldOf(messages, id, [event]));
  return shown && { ...shown, message: shownMessage(data.message) };
};

/** The message as it was after the event; null before its record. */
const ofMessage = async (
  deps: Deps,
  accountId: string,
  { stream, revision, asOf = revision }: WebhookSource,
): Promise<Data> => {
  const events = await historyOf(deps, stream, asOf);
  const told = events[revision];
  const whole = (await complete(deps.store, events)) as KnownEvent[];
  const document = foldOf(messages, idInStream(stream, 'message'), whole);
  if (!document?.recorded || !told) return null;
  // A status that came at another number than the sending one says nothing of this message.
  const isForeign =
    told.type === 'StatusUpdated' &&
    document.phoneNumberId !== null &&
    told.data.phoneNumberId !== document.phoneNumberId;
  return isForeign ? null : record(deps, accountId, document);
};

const ofTemplate = async (
  deps: Deps,
  accountId: string,
  { stream, revision }: WebhookSource,
  event: EventOf<'TemplateStatusChanged' | 'TemplateRemoved'>,
): Promise<Data> => {
  const events = await historyOf(deps, stream, revision);
  const id = templateId(event.data);
  const after = foldOf(templates, id, events);
  const row = after ?? foldOf(templates, id, events.slice(0, -1));
  if (!row || !isVisibleTo(accountId, row)) return null;
  const { name, language, metaTemplateId, category, status, statusReason, changingTo } = row;
  return {
    id: metaTemplateId,
    name,
    language,
    category,
    status: after ? status : 'DELETED',
    statusReason,
    changingTo: changingTo ?? null,
  };
};

const ofNumber = async (
  deps: Deps,
  accountId: string,
  { stream, revision }: WebhookSource,
): Promise<Data> => {
  const events = await historyOf(deps, stream, revision);
  const id = idInStream(stream, 'phone');
  const before = foldOf(numbers, id, events.slice(0, -1));
  const after = foldOf(numbers, id, events);
  if (after?.accountId !== accountId || after.qualityRating === before?.qualityRating) return null;
  const { phoneNumberId, displayPhoneNumber, verifiedName, qualityRating } = after;
  return {
    phoneNumberId,
    displayPhoneNumber,
    verifiedName,
    qualityRating,
    previousQualityRating: before?.qualityRating ?? null,
  };
};

/** Whether the account sent until the event: a paused one reserves nothing. */
const wasPaused = async ({ store }: Deps, { stream, revision }: WebhookSource) => {
  if (revision === 0) return false;
  const back = { from: revision - 1, direction: 'backwards', pageSize: ACCOUNT_PAGE } as const;
  for await (const page of streamPages(store, stream, back)) {
    for (const event of page as readonly KnownEvent[]) {
      if (event.type === 'LimitsSet') return event.data.paused;
      if (event.type === 'AccountPaused') return true;
      if (event.type === 'ChargeReserved') return false;
    }
  }
  return false;
};

const dataOf = async (deps: Deps, accountId: string, source: WebhookSource, event: KnownEvent) => {
  switch (event.type) {
    case 'MessageReceived':
      return ofReceived(deps, accountId, event);
    case 'MessageSent':
    case 'StatusUpdated':
      return ofMessage(deps, accountId, source);
    case 'TemplateStatusChanged':
    case 'TemplateRecategorised':
    case 'TemplateChangeAnnounced':
    case 'TemplateRemoved':
      return ofTemplate(deps, accountId, source, event as EventOf<'TemplateRemoved'>);
    case 'PhoneProfileRead':
      return ofNumber(deps, accountId, source);
    case 'BalanceFell': {
      const { billing, currency, balance, threshold } = event.data;
      const shown = (amount: number) => (billing === 'wallet' ? formatMicros(amount) : amount);
      return { balance: shown(balance), balanceLow: shown(threshold), billing, currency };
    }
    case 'JobFinished':
    case 'JobPaused': {
      const { accountId: _, amount, ...data } = event.data;
      const [account] = await deps.reader.getMany(accounts, [accountId]);
      return { ...data, amount: inUnit(account?.billing ?? 'credits', amount) };
    }
    case 'LimitsSet':
      return (await wasPaused(deps, source)) ? null : { paused: true, reason: null };
    case 'AccountPaused':
      return { paused: true, reason: pauseReasonOf(event.data) };
    case 'ScheduleEnded': {
      const events = await historyOf(deps, source.stream, source.revision);
      const row = foldOf(scheduled, event.data.scheduleId, events);
      return row ? presentScheduled(row) : null;
    }
    case 'WebhookTested':
      return { webhookId: event.data.endpointId };
    default:
      return null;
  }
};

/**
 * Builds bodies out of the log: what is delivered lies nowhere else. A body is the same at each attempt,
 * but for what was erased or became known of the contact meanwhile.
 */
export const createBodyOf =
  (deps: Deps): BodyOf =>
  async (accountId, source, format) => {
    const event = await eventOf(deps, source);
    if (!event) return null;
    const data = await dataOf(deps, accountId, source, event);
    if (!data) return null;
    const { at, traceparent } = event.meta;
    if (format === 'standard') {
      return { body: { type: source.topic, timestamp: at, accountId, data }, traceparent };
    }
    const statuses = async () => {
      const { stream, revision } = source;
      const events = await historyOf(deps, stream, revision);
      return events.filter((one) => one.type === 'StatusUpdated');
    };
    const numberOf = async (phoneNumberId: string) =>
      (await deps.reader.getMany(numbers, [phoneNumberId]))[0];
    const body = await graphBodyOf({ event, data, statuses, numberOf });
    return body && { body, traceparent };
  };
