import { expect } from 'chai';
import { projections } from '../../src/projections/all.ts';

// The collections of existing stores. Change a version together with its indexes and events here: without a
// new version, existing stores never get a new index, nor what earlier events would have told.

const DEFINITIONS = `
organisations 3: -order; folds OrganisationCreated FourEyesSet OrganisationSuspended
  OrganisationReinstated
accounts 12: organisationId -order | -order | retainedSince?; words organisationId; folds
  AccountOpened PlanAssigned BalanceThresholdSet StrictSendingSet SendingHoursSet DirectSendSet
  BalanceFell SendsRefused RetentionSet LimitsSet AccountPaused FreeWritesCounted CreditsGranted
  CreditsRevoked WalletMoved ChargeReserved ChargeRefunded RefundedSendCounted
ledger 4: accountId chargeId -order | accountId type -order | accountId -order; filters createdAt;
  words accountId type; folds CreditsGranted CreditsRevoked WalletMoved ChargeReserved
  ChargeRefunded
reservations 5: reservedAt? | accountId reservedAt? | accountId -order | -order; filters amount
  contactRef event clientReference state createdAt; words accountId event state; folds
  ChargeReserved MessageSent ChargeRefunded
refunds 5: accountId? state? -order | state? -order; words accountId state; folds ChargeRefunded
  RefundedSendCounted
refusals 2: accountId -order | -order | contactRef? sealedMonth? | accountId sealedMonth?; filters
  code minute firstRequestId lastRequestId; words accountId code; folds SendsRefused
chargeclaims 4: reservedAt | chargeId order; folds ChargeClaimed ChargeClaimRefused MessageSent
messages 17: accountId clientReference? -order | accountId contactRef -order | accountId status?
  -order | accountId event? -order | accountId phoneNumberId -order | accountId chargeId? -order |
  accountId? -order | -order | messageRef order? | jobId? status? -order | contactRef sealedMonth?
  | otherRef? sealedMonth? | accountId sealedMonth?; filters direction messageType createdAt;
  words accountId phoneNumberId status event direction messageType; folds MessageReceived
  MessageSent StatusUpdated
scheduled 2: lane due? | lane? | accountId due? | accountId contactRef -order | accountId state
  -order | accountId -order | contactRef sealedMonth? | accountId sealedMonth?; filters kind;
  words accountId state kind; folds SendScheduled ScheduleChanged ScheduleMoved ScheduleBegun
  ScheduleEnded
media 3: contactRef sealedMonth? | accountId sealedMonth?; words accountId; folds MessageReceived
  MediaUploaded
answers 1: contactRef -order; folds RequestAnswered
numbers 6: accountId order | wabaId order | linked order; words accountId wabaId; folds
  PhoneLinked PhoneTokenSet PhoneProfileRead PhoneSubscriptionRead PhoneDirectSendBarred
  PhoneWebhookSet PhoneUnlinked
keys 2: accountId -order | prefix; words accountId; folds ApiKeyCreated ApiKeyStateChanged
  ApiKeyRehashed ApiKeyUsed
administrators 2: -order | prefix; folds AdministratorCreated AdministratorRehashed
  AdministratorRevoked
people 2: organisationId -order | contactRef sealedMonth? | accountId sealedMonth?; words
  accountId; folds PersonInvited InvitationIssued PasswordSet PasskeyAdded PasskeyRemoved
  PersonJoined PersonMapped PersonChanged PersonErased PersonSuspended PersonReinstated
approvals 2: state -order | -order; words state; folds ApprovalRequested ApprovalGiven
  ApprovalRejected
sessions 3: holderId -startedAt | startedAt; folds SessionStarted SessionEnded SessionsExpired
templates 5: wabaId name language | wabaId order; words wabaId; folds TemplateSubmitted
  TemplateAdopted TemplateStatusChanged TemplateRecategorised TemplateChangeAnnounced
  TemplateRemoved
plans 3: -order; folds PlanPublished
ratecards 2: -order; folds RateCardPublished
bots 2: accountId -order; words accountId; folds BotChanged BotRunStarted
botruns 8: botId -order | lane due? | lane? | accountId phoneNumberId open order | contactRef
  sealedMonth? | accountId sealedMonth?; words accountId phase phoneNumberId; folds BotRunStarted
  BotRunAnswered BotActionStarted BotRunStepped BotRunWaiting BotRunEnded
contacts 3: contactRef? | contactRef sealedMonth? | accountId sealedMonth?; words accountId; folds
  ContactIdsJoined
conversations 15: accountId phoneNumberId -order | accountId -order | contactRef sealedMonth? |
  textRef? sealedMonth? | accountId sealedMonth?; filters lastInboundAt updatedAt searchText
  assignedTo unreadCount labelText failed withBot; words accountId phoneNumberId assignedTo; folds
  MessageReceived MessageSent StatusUpdated BotsSilenced BotsResumed ConversationAssigned
  ConversationLabelled ContactIdsJoined
notes 1: conversationId -order | contactRef sealedMonth? | accountId sealedMonth?; words
  accountId; folds NoteAdded
quickreplies 1: accountId -order; words accountId; folds QuickReplySet QuickReplyRemoved
deadletters 5: -order | state -order | state reason order | contactRef sealedMonth? | otherRef
  sealedMonth? | accountId sealedMonth?; words accountId state; folds DeadLetterKept
  DeadLetterRetried DeadLetterDismissed
erasures 2: -order | state -order; words state; folds ErasureRequested ErasureStarted ErasureDone
expirations 1: folds MonthsExpired
activity 3: accountId -hour; words accountId; folds ChargeReserved ChargeRefunded SendsRefused
  StatusUpdated
actions 8: requestId -order | accountId -order | -order; words accountId; folds SessionStarted
  SessionEnded AdministratorCreated AdministratorRevoked PersonInvited InvitationIssued
  PersonJoined PersonMapped PasswordSet PasskeyAdded PasskeyRemoved PersonChanged PersonSuspended
  PersonReinstated PersonErased FourEyesSet ApprovalRequested ApprovalGiven ApprovalRejected
  OrganisationCreated OrganisationSuspended OrganisationReinstated AccountOpened PlanAssigned
  LimitsSet StrictSendingSet DirectSendSet SendingHoursSet RetentionSet ApiKeyCreated
  ApiKeyStateChanged CreditsGranted CreditsRevoked WalletMoved BalanceThresholdSet BotChanged
  BotsSilenced BotsResumed ConversationAssigned ConversationLabelled NoteAdded QuickReplySet
  QuickReplyRemoved PlanPublished RateCardPublished PhoneLinked PhoneTokenSet PhoneWebhookSet
  PhoneUnlinked TemplateSubmitted WebhookCreated WebhookChanged WebhookRotated WebhookDisabled
  WebhookEnabled WebhookDeleted WebhookReplayStarted JobCreated JobStarted JobPaused JobCancelled
  ScheduleChanged ScheduleEnded DeadLetterRetried DeadLetterDismissed ErasureRequested
webhooks 2: accountId -order | order; words accountId; folds WebhookCreated WebhookChanged
  WebhookRotated WebhookDisabled WebhookEnabled WebhookDeleted WebhookReplayStarted
  WebhookReplayEnded
webhookdeliveries 3: endpointId -order | endpointId due? | endpointId state -order; filters
  createdAt; words state; folds WebhookDeferred WebhookAttempted WebhookDeliveriesDropped
  WebhookDeleted
jobs 3: accountId live? order | accountId -order | lane? | keptUntil?; words accountId; folds
  JobCreated JobChecked JobUnusable JobStarted JobBegun JobPaused JobCancelled JobFinished
  JobFileDestroyed JobRowsSettled
`;

describe('the definitions of read models', () => {
  it('have the indexes, filters, words and events that they had at their version', () => {
    const lines = projections.map(({ name, version, indexes, filters = [], words = [], on }) => {
      const parts = [
        ...(indexes.length > 0 ? [indexes.map((fields) => fields.join(' ')).join(' | ')] : []),
        ...(filters.length > 0 ? [`filters ${filters.join(' ')}`] : []),
        ...(words.length > 0 ? [`words ${words.join(' ')}`] : []),
        `folds ${Object.keys(on).join(' ')}`,
      ];
      return `${name} ${version}: ${parts.join('; ')}`.trimEnd();
    });
    const held = DEFINITIONS.trim().split(/\n(?! )/);
    expect(lines.toSorted()).to.deep.equal(held.map((line) => line.replace(/\s+/g, ' ')).sort());
  });
});
