import type { EventOf, KnownEvent } from '../../events/index.ts';
import type { EventReader } from '../../events/store.ts';
import { TEST_TOPIC, type WebhookSource, type WebhookTopic } from '../../events/webhook.ts';
import type { Lookups } from '../core/lookups.ts';

const STATUS_TOPICS: Readonly<Record<string, WebhookTopic>> = {
  delivered: 'message.delivered',
  read: 'message.read',
  failed: 'message.failed',
};

/** An event as one account receives it. */
export interface ForAccount {
  accountId: string;
  source: WebhookSource;
}

const sourceOf = (
  { id, stream, revision }: KnownEvent,
  topic: WebhookSource['topic'],
  orderKey = stream,
): WebhookSource => ({ eventId: id, topic, stream, revision, orderKey });

const ofStatus = (event: EventOf<'StatusUpdated'>, asOf?: number): readonly ForAccount[] => {
  const { accountId, contactRef, status } = event.data;
  const topic = STATUS_TOPICS[status];
  if (!topic) return [];
  const source = sourceOf(event, topic, contactRef);
  return [{ accountId, source: { ...source, ...(asOf !== undefined && { asOf }) } }];
};

interface Deps {
  log: Pick<EventReader, 'read'>;
  lookups: Pick<Lookups, 'templates' | 'numbersOfWaba'>;
  /** Whether any endpoint of the account asks for one of these topics. */
  wants: (accountId: string, topics: readonly WebhookTopic[]) => boolean;
}

/** A record, and the statuses that came before it, which no account has received. */
const ofSent = async (
  event: EventOf<'MessageSent'>,
  { log, wants }: Deps,
): Promise<readonly ForAccount[]> => {
  const { stream, revision, data } = event;
  const { accountId, contactRef } = data;
  const sent = { accountId, source: sourceOf(event, 'message.sent', contactRef) };
  if (revision === 0 || !wants(accountId, Object.values(STATUS_TOPICS))) return [sent];
  const earlier = (await log.read(stream, { limit: revision })) as KnownEvent[];
  const early = earlier.flatMap((one) =>
    one.type === 'StatusUpdated' ? ofStatus(one, revision) : [],
  );
  const own = early.map(({ source }) => ({
    accountId,
    source: { ...source, orderKey: contactRef },
  }));
  return [sent, ...own];
};

type TemplateEvent = EventOf<
  'TemplateStatusChanged' | 'TemplateRecategorised' | 'TemplateChangeAnnounced' | 'TemplateRemoved'
>;

/** The owner of a template; all accounts of the business account for a template that they share. */
const ofTemplate = async (
  event: TemplateEvent,
  { lookups }: Deps,
): Promise<readonly ForAccount[]> => {
  const { wabaId, name, language } = event.data;
  const rows = await lookups.templates(wabaId, name);
  const row = rows.find((one) => one.language === language);
  // A template that was removed has no row: the body names its account.
  const owner = row?.accountId ?? null;
  const numbers = owner === null ? await lookups.numbersOfWaba(wabaId) : [];
  const accounts = owner === null ? new Set(numbers.map((one) => one.accountId)) : [owner];
  const source = sourceOf(event, 'template.status');
  return [...accounts].map((accountId) => ({ accountId, source }));
};

interface Told<Type extends KnownEvent['type']> {
  /** The topics that it can have. */
  topics: readonly WebhookTopic[];
  whom(event: EventOf<Type>, deps: Deps): readonly ForAccount[] | Promise<readonly ForAccount[]>;
}

const toOwner =
  <Type extends KnownEvent['type']>(topic: WebhookSource['topic']) =>
  (event: EventOf<Type> & KnownEvent & { data: { accountId: string } }): readonly ForAccount[] => [
    { accountId: event.data.accountId, source: sourceOf(event, topic) },
  ];

const aboutTemplate = { topics: ['template.status'], whom: ofTemplate } as const;

/** The types of events that are delivered, each with its topics and the accounts. */
const told: { readonly [Type in KnownEvent['type']]?: Told<Type> } = {
  MessageReceived: {
    topics: ['message.received'],
    whom: (event) => {
      const { accountId, contactRef } = event.data;
      return [{ accountId, source: sourceOf(event, 'message.received', contactRef) }];
    },
  },
  // A status may precede the record of its message: it is delivered after that.
  MessageSent: { topics: ['message.sent', ...Object.values(STATUS_TOPICS)], whom: ofSent },
  StatusUpdated: { topics: Object.values(STATUS_TOPICS), whom: (event) => ofStatus(event) },
  TemplateStatusChanged: aboutTemplate,
  TemplateRecategorised: aboutTemplate,
  TemplateChangeAnnounced: aboutTemplate,
  TemplateRemoved: aboutTemplate,
  PhoneProfileRead: {
    topics: ['number.quality'],
    whom: (event) => {
      const { accountId } = event.meta;
      return accountId ? [{ accountId, source: sourceOf(event, 'number.quality') }] : [];
    },
  },
  ScheduleEnded: {
    topics: ['scheduled.refused'],
    whom: (event) =>
      event.data.state === 'refused' ? toOwner<'ScheduleEnded'>('scheduled.refused')(event) : [],
  },
  JobFinished: { topics: ['job.finished'], whom: toOwner('job.finished') },
  JobPaused: {
    topics: ['job.paused'],
    whom: (event) => (event.data.reason === null ? [] : toOwner<'JobPaused'>('job.paused')(event)),
  },
  BalanceFell: { topics: ['account.balance_low'], whom: toOwner('account.balance_low') },
  LimitsSet: {
    topics: ['account.paused'],
    whom: (event) => (event.data.paused ? toOwner('account.paused')(event) : []),
  },
  AccountPaused: { topics: ['account.paused'], whom: toOwner('account.paused') },
  WebhookTested: { topics: [], whom: toOwner(TEST_TOPIC) },
};

/** Types of events from which these topics follow. */
export const typesOf = (topics: Iterable<WebhookTopic>): readonly KnownEvent['type'][] => {
  const asked = new Set(topics);
  return Object.entries(told).flatMap(([type, { topics: own }]) =>
    own.some((topic) => asked.has(topic)) ? [type as KnownEvent['type']] : [],
  );
};

/** Which accounts an event goes to, and under which topic. The body may turn out to be empty. */
export const sourcesOf = async (event: KnownEvent, deps: Deps): Promise<readonly ForAccount[]> =>
  (await told[event.type]?.whom(event as never, deps)) ?? [];
