import type { SealAfter } from '../audit/read-statement.ts';
import type { FreeWrites } from '../commands/account/free-writes.ts';
import type { BalanceAt, Funds } from '../commands/account/funds.ts';
import type { BotRepository } from '../commands/bots/bot.ts';
import type { Bots } from '../commands/bots/definitions.ts';
import type { Care } from '../commands/care/care.ts';
import type { QuickReplies } from '../commands/care/quick-replies.ts';
import type { Subjects } from '../commands/contacts/subjects.ts';
import type { Lookups } from '../commands/core/lookups.ts';
import type { Idempotency } from '../commands/idempotency/idempotency.ts';
import type { ForwardUrls } from '../commands/inbound/forward-url.ts';
import type { Handoffs } from '../commands/inbound/handoffs.ts';
import type { ReadReceipts } from '../commands/inbound/read-receipts.ts';
import type { Jobs } from '../commands/jobs/jobs.ts';
import type { Media } from '../commands/media/media.ts';
import type { Numbers } from '../commands/numbers/numbers.ts';
import type { People } from '../commands/people/people.ts';
import type { Privacy } from '../commands/privacy/privacy.ts';
import type { Batches } from '../commands/sending/batch.ts';
import type { Notifications } from '../commands/sending/notification.ts';
import type { PassThrough } from '../commands/sending/pass-through.ts';
import type { Quotes } from '../commands/sending/quote.ts';
import type { Schedules } from '../commands/sending/schedules.ts';
import type { Mirror } from '../commands/templates/mirror.ts';
import type { Submissions } from '../commands/templates/submission.ts';
import type { Tenancy } from '../commands/tenancy/tenancy.ts';
import type { BodyOf } from '../commands/webhooks/ports.ts';
import type { Webhooks } from '../commands/webhooks/webhooks.ts';
import type { EventReader } from '../events/store.ts';
import type { Provider } from '../provider/provider.ts';
import type { Clock } from '../shared/clock.ts';
import type { Secrets } from '../shared/secrets.ts';
import { accountRoutes } from './admin/accounts.ts';
import { actionsRoute } from './admin/actions.ts';
import { administratorRoutes } from './admin/administrators.ts';
import {
  type AskAnother,
  approvalRoutes,
  type FourEyesDeps,
  underFourEyes,
} from './admin/approvals.ts';
import { type AuditDeps, followVerifyRoute, verifyRoute } from './admin/audit.ts';
import { type BackupDeps, backupRoutes } from './admin/backups.ts';
import { contactExportRoute } from './admin/contact-export.ts';
import { type DeadLetterDeps, deadLetterRoutes } from './admin/dead-letters.ts';
import { erasureRoutes } from './admin/erasures.ts';
import { booksRoute, eventsRoute, historyRoute } from './admin/events.ts';
import { keyRoutes } from './admin/keys.ts';
import { ledgerRoutes } from './admin/ledger.ts';
import { messageRoutes } from './admin/messages.ts';
import { numberHealthRoute } from './admin/number-health.ts';
import { catalogSubmissionRoute, numberReadinessRoute, numberRoutes } from './admin/numbers.ts';
import { organisationRoutes } from './admin/organisations.ts';
import { serviceOverviewRoute } from './admin/overview.ts';
import { planRoutes, rateCardRoutes } from './admin/plans.ts';
import { type ProjectionDeps, projectionRoutes } from './admin/projections.ts';
import { type ReconciliationDeps, reconciliationRoute } from './admin/reconciliation.ts';
import { type SealDeps, sealRoutes } from './admin/seals.ts';
import { type SecretDeps, secretRoutes } from './admin/secret.ts';
import { statementRoutes } from './admin/statement.ts';
import { accountWebhooksRoute } from './admin/webhooks.ts';
import { type WhatIfDeps, whatIfRoutes } from './admin/what-if.ts';
import { findRoutes } from './console/find.ts';
import { type LinkDeps, linkRoutes } from './console/links.ts';
import { type LiveDeps, liveRoutes } from './console/live.ts';
import type { Authenticator } from './edge/admission.ts';
import { acceptKeys } from './edge/idempotent.ts';
import type { Transfers } from './edge/transfers.ts';
import { graphAccountRoutes } from './graph/accounts.ts';
import { inLivingVersions } from './graph/common.ts';
import { graphNodeRoutes } from './graph/media.ts';
import { graphMessagesRoute } from './graph/messages.ts';
import { type FindPerson, withNames } from './route/actors.ts';
import type { Past } from './route/past.ts';
import type { UpToDate } from './route/read-models.ts';
import type { JsonRoute } from './route/route.ts';
import { ownAccountRoutes } from './v1/account.ts';
import { botDraftRoutes } from './v1/bot-drafts.ts';
import { botGraphRoutes } from './v1/bot-graph.ts';
import { botRunRoutes } from './v1/bot-runs.ts';
import { botRoutes, botVersionRoutes } from './v1/bots.ts';
import { careRoutes } from './v1/care.ts';
import { catalogRoute, readinessRoute, submitRoute } from './v1/catalog.ts';
import { anyChargeRoute, chargeRoute } from './v1/charge.ts';
import type { ContactRefs } from './v1/contact-filter.ts';
import { conversationRoute, conversationsRoute } from './v1/conversations.ts';
import { creditsRoute, proofRoute, walletRoute } from './v1/credits.ts';
import { handoffRoutes } from './v1/handoff.ts';
import { historyRoutes } from './v1/history.ts';
import { jobRoutes } from './v1/jobs.ts';
import { ownKeyRoutes } from './v1/keys.ts';
import { ledgerRoute } from './v1/ledger.ts';
import { mediaRoutes } from './v1/media.ts';
import { readReceiptRoute, statusRoute } from './v1/message.ts';
import { overviewRoute } from './v1/overview.ts';
import { allPeopleRoutes, ownPeopleRoutes } from './v1/people.ts';
import { phonesRoute, phoneWebhookRoute } from './v1/phones.ts';
import { quickReplyRoutes } from './v1/quick-replies.ts';
import type { SendDefaults } from './v1/quote-answer.ts';
import { quotesRoute } from './v1/quotes.ts';
import { scheduledRoutes } from './v1/scheduled.ts';
import { messageSendRoute } from './v1/send-message.ts';
import { batchRoute, sendRoute } from './v1/send-notification.ts';
import { sendsRoutes } from './v1/sends.ts';
import { templateRoutes } from './v1/templates.ts';
import { webhookRoutes } from './v1/webhook-deliveries.ts';

/** What the handlers work with. */
export interface Handlers {
  store: EventReader;
  provider: Provider;
  topUp: string | null;
  upToDate: UpToDate;
  past: Past;
  lookups: Lookups;
  subjects: ContactRefs & Pick<Subjects, 'areHeld'>;
  clock: Clock;
  secrets: Secrets;
  notifications: Notifications;
  schedules: Schedules;
  defaultsOf: SendDefaults['defaultsOf'];
  batches: Batches;
  quotes: Quotes;
  jobs: Jobs;
  bots: Bots;
  botDraft: BotRepository['draft'];
  idempotency: Idempotency;
  freeWrites: FreeWrites;
  audit: AuditDeps['audit'];
  log: EventReader;
  sealAfter: SealAfter;
  reconcile: ReconciliationDeps['reconcile'];
  whatIfs: WhatIfDeps['whatIfs'];
  sealing: SealDeps['sealing'];
  extendKey: SecretDeps['extendKey'];
  backups: BackupDeps['backups'];
  passThrough: PassThrough;
  readReceipts: ReadReceipts;
  handoffs: Handoffs;
  care: Care;
  quickReplies: QuickReplies;
  media: Media;
  transfers: Transfers;
  submissions: Submissions;
  mirror: Mirror;
  forwardUrls: ForwardUrls;
  people: People;
  approvals: FourEyesDeps['approvals'];
  askAnother: AskAnother;
  fourEyesOf: FourEyesDeps['fourEyesOf'];
  anyAsks: FourEyesDeps['anyAsks'];
  mayApprove: () => Promise<number>;
  findPerson: FindPerson;
  sessions: LinkDeps['sessions'];
  ids: LinkDeps['ids'];
  live: LiveDeps['live'];
  authenticator: Authenticator;
  webhooks: Webhooks;
  bodyOf: BodyOf;
  numbers: Numbers;
  tenancy: Tenancy;
  privacy: Privacy;
  funds: Funds;
  balanceAt: (accountId: string, at?: string) => Promise<BalanceAt | undefined>;
  deadLetters: DeadLetterDeps['deadLetters'];
  projections: ProjectionDeps['projections'];
  partitionHolders: ProjectionDeps['partitionHolders'];
  /** Fires when the service stops: what has not been started is left. */
  stopping: AbortSignal;
}

/** The product: what a key's holder calls. */
const productRoutes = (handlers: Handlers): readonly JsonRoute[] => [
  catalogRoute,
  readinessRoute(handlers),
  submitRoute(handlers),
  sendRoute(handlers),
  batchRoute(handlers),
  messageSendRoute(handlers),
  statusRoute(handlers),
  ...historyRoutes(handlers),
  readReceiptRoute(handlers),
  ...sendsRoutes(handlers),
  ...scheduledRoutes(handlers),
  ...jobRoutes(handlers),
  ...mediaRoutes(handlers),
  ...ownAccountRoutes(handlers),
  overviewRoute,
  conversationsRoute,
  conversationRoute,
  ...handoffRoutes(handlers),
  ...careRoutes(handlers),
  ...quickReplyRoutes(handlers),
  phonesRoute(handlers),
  phoneWebhookRoute(handlers),
  ...botRoutes(handlers),
  ...botDraftRoutes(handlers),
  ...botGraphRoutes(),
  ...botRunRoutes(handlers),
  ...botVersionRoutes(handlers),
  ...templateRoutes(handlers),
  creditsRoute,
  quotesRoute(handlers),
  chargeRoute(handlers),
  proofRoute(handlers),
  walletRoute,
  ledgerRoute,
  ...webhookRoutes(handlers),
  ...ownPeopleRoutes(handlers),
  ...ownKeyRoutes(handlers),
];

const administrationRoutes = (handlers: Handlers): readonly JsonRoute[] => [
  ...administratorRoutes(handlers),
  ...allPeopleRoutes(handlers),
  actionsRoute,
  ...organisationRoutes(handlers),
  ...accountRoutes(handlers),
  accountWebhooksRoute,
  ...keyRoutes(handlers),
  numberHealthRoute,
  ...numberRoutes(handlers),
  numberReadinessRoute(handlers),
  catalogSubmissionRoute(handlers),
  ...ledgerRoutes(handlers),
  anyChargeRoute(handlers),
  verifyRoute(handlers),
  followVerifyRoute(handlers),
  eventsRoute(handlers),
  historyRoute(handlers),
  booksRoute(handlers),
  ...sealRoutes(handlers),
  ...statementRoutes(handlers),
  reconciliationRoute(handlers),
  ...whatIfRoutes(handlers),
  ...planRoutes(handlers),
  ...rateCardRoutes(handlers),
  ...messageRoutes(handlers),
  ...deadLetterRoutes(handlers),
  ...erasureRoutes(handlers),
  contactExportRoute(handlers),
  ...projectionRoutes(handlers),
  ...secretRoutes(handlers),
  ...backupRoutes(handlers),
  serviceOverviewRoute(handlers),
];

/**
 * Gives the handler the read models that its route declares in `reads`: a GET has them before it
 * starts, as of the time that its query names, any other method asks for them after its command.
 */
const readYourWrites = (
  route: JsonRoute,
  { upToDate, past }: Pick<Handlers, 'upToDate' | 'past'>,
): JsonRoute => {
  const { method, reads = [] } = route;
  const ask = () => upToDate(reads, { writes: method !== 'GET' });
  return {
    ...route,
    async handle(input, context) {
      const { asOf } = (input.query ?? {}) as { asOf?: string };
      const models = () =>
        asOf === undefined ? ask() : past.models({ asOf, signal: context.signal() });
      const given = method === 'GET' ? { models: await models() } : { upToDate: ask };
      // A copy of the context would make its logger and its signal, which few handlers use.
      return route.handle(input, Object.assign(context, given));
    },
  };
};

/** Limits the writes of a free route to the account's plan. */
const boundFreeWrites = (route: JsonRoute, freeWrites: FreeWrites): JsonRoute => ({
  ...route,
  errors: [...route.errors, 'account.free_writes'],
  handle: (input, context) =>
    freeWrites.run(context.key!.accountId, async () => route.handle(input, context)),
});

/** The routes as they are where nothing waits for another person. */
const read = (routes: readonly JsonRoute[], handlers: Handlers): readonly JsonRoute[] =>
  routes.map((route) => (route.reads ? readYourWrites(route, handlers) : route));

const whole = (routes: readonly JsonRoute[], handlers: Handlers): readonly JsonRoute[] =>
  read(routes, handlers)
    .map((route) => (route.fourEyes ? underFourEyes(route, handlers) : route))
    .map((route) => (route.names ? withNames(route, handlers.findPerson) : route))
    .map((route) => (route.free ? boundFreeWrites(route, handlers.freeWrites) : route))
    .map((route) => (route.idempotent ? acceptKeys(route, handlers.idempotency) : route));

/** Administration, with the routes that let another person approve what waits. */
const withApprovals = (handlers: Handlers): readonly JsonRoute[] => {
  const routes = administrationRoutes(handlers);
  // An approval is the key of what it lets happen, so that a second yes repeats nothing.
  const alone = read(routes, handlers).map((route) => acceptKeys(route, handlers.idempotency));
  return [...routes, ...approvalRoutes(handlers, alone)];
};

/** Every JSON route of the service's own API. */
export const allRoutes = (handlers: Handlers): readonly JsonRoute[] =>
  whole(
    [
      ...productRoutes(handlers),
      ...withApprovals(handlers),
      ...linkRoutes(handlers),
      ...findRoutes(handlers),
      ...liveRoutes(handlers),
    ],
    handlers,
  );

/** The provider's own API, with the keys, prices and records of the service. */
export const gatewayRoutes = (handlers: Handlers): readonly JsonRoute[] =>
  whole(
    [
      graphMessagesRoute(handlers),
      ...graphNodeRoutes(handlers),
      ...graphAccountRoutes(handlers),
    ].map(inLivingVersions),
    handlers,
  );
