import type { EventOf, KnownEvent } from '../events/index.ts';
import type { Actor, Position } from '../events/store.ts';
import { defineProjection, type Handler } from './define.ts';

/** What an administrator or a person did; sign-ins and sign-outs with API keys too. */
interface ActionDocument {
  /** Position of its event. */
  id: string;
  type: KnownEvent['type'];
  at: string;
  /** Null for the holder of an API key. */
  by: Actor | null;
  accountId: string | null;
  /** Id of what was changed: an account, a key, a number, a plan, a webhook, a job. */
  subject: string | null;
  requestId: string;
  order: Position;
}

/** Fields that name what an event changes, the most telling first. */
const subjects = [
  ...([
    'approvalId',
    'personId',
    'keyId',
    'endpointId',
    'jobId',
    'scheduleId',
    'metaTemplateId',
    'phoneNumberId',
    'administratorId',
    'deadLetterId',
    'erasureId',
  ] as const),
  ...(['planId', 'rateCardId', 'organisationId', 'accountId', 'sessionId'] as const),
] as const;

const subjectOf = (data: object): string | null => {
  const named = data as Partial<Record<(typeof subjects)[number], string>>;
  const field = subjects.find((name) => typeof named[name] === 'string');
  return field === undefined ? null : named[field]!;
};

// biome-ignore lint/suspicious/noExplicitAny: one fold for events of every shape
const recorded: Handler<ActionDocument, any> = {
  key: ({ type, meta, position }: KnownEvent) =>
    meta.by || type === 'SessionStarted' || type === 'SessionEnded' ? position : [],
  fold: (_, { type, data, meta, position }: KnownEvent) => ({
    id: position,
    type,
    at: meta.at,
    by: meta.by ?? null,
    accountId: 'accountId' in data && data.accountId ? data.accountId : (meta.accountId ?? null),
    subject: subjectOf(data),
    requestId: meta.requestId,
    order: position,
  }),
};

// biome-ignore lint/suspicious/noExplicitAny: as above
const cancelled: Handler<ActionDocument, any> = {
  ...recorded,
  key: (event: EventOf<'ScheduleEnded'>) =>
    event.data.state === 'cancelled' ? recorded.key(event) : [],
};

/** What administrators and people did, the newest first. */
export const actions = defineProjection<ActionDocument>({
  name: 'actions',
  version: 8,
  indexes: [['requestId', '-order'], ['accountId', '-order'], ['-order']],
  words: ['accountId'],
  on: {
    SessionStarted: recorded,
    SessionEnded: recorded,
    AdministratorCreated: recorded,
    AdministratorRevoked: recorded,
    PersonInvited: recorded,
    InvitationIssued: recorded,
    PersonJoined: recorded,
    PersonMapped: recorded,
    PasswordSet: recorded,
    PasskeyAdded: recorded,
    PasskeyRemoved: recorded,
    PersonChanged: recorded,
    PersonSuspended: recorded,
    PersonReinstated: recorded,
    PersonErased: recorded,
    FourEyesSet: recorded,
    ApprovalRequested: recorded,
    ApprovalGiven: recorded,
    ApprovalRejected: recorded,
    OrganisationCreated: recorded,
    OrganisationSuspended: recorded,
    OrganisationReinstated: recorded,
    AccountOpened: recorded,
    PlanAssigned: recorded,
    LimitsSet: recorded,
    StrictSendingSet: recorded,
    DirectSendSet: recorded,
    SendingHoursSet: recorded,
    RetentionSet: recorded,
    ApiKeyCreated: recorded,
    ApiKeyStateChanged: recorded,
    CreditsGranted: recorded,
    CreditsRevoked: recorded,
    WalletMoved: recorded,
    BalanceThresholdSet: recorded,
    BotChanged: recorded,
    BotsSilenced: recorded,
    BotsResumed: recorded,
    ConversationAssigned: recorded,
    ConversationLabelled: recorded,
    NoteAdded: recorded,
    QuickReplySet: recorded,
    QuickReplyRemoved: recorded,
    PlanPublished: recorded,
    RateCardPublished: recorded,
    PhoneLinked: recorded,
    PhoneTokenSet: recorded,
    PhoneWebhookSet: recorded,
    PhoneUnlinked: recorded,
    TemplateSubmitted: recorded,
    WebhookCreated: recorded,
    WebhookChanged: recorded,
    WebhookRotated: recorded,
    WebhookDisabled: recorded,
    WebhookEnabled: recorded,
    WebhookDeleted: recorded,
    WebhookReplayStarted: recorded,
    JobCreated: recorded,
    JobStarted: recorded,
    JobPaused: recorded,
    JobCancelled: recorded,
    ScheduleChanged: recorded,
    ScheduleEnded: cancelled,
    DeadLetterRetried: recorded,
    DeadLetterDismissed: recorded,
    ErasureRequested: recorded,
  },
});
