# Written by `npm run openapi`: change the routes or the catalog instead.
# ruff: noqa
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, overload
from urllib.parse import quote

from .client import AsyncCalls, AsyncList, Calls, File, List, Sent
from .transport import BATCH_SECONDS, FILE_SECONDS, Call

#: What a variable may be; the customer reads it as text.
VariableValue: TypeAlias = str | int | float | bool


def _part(text: str) -> str:
    return quote(text, safe="")


class AccountCapReachedProblem(TypedDict):
    error: str
    code: Literal["LIMIT_REACHED"]
    limit: Literal["paused", "perMinute", "daily", "monthly"]
    usage: Usage
    limits: Limits
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class AccountInsufficientProblem(TypedDict):
    error: str
    reason: Literal["INSUFFICIENT_CREDITS", "INSUFFICIENT_BALANCE"]
    category: Literal["MARKETING", "UTILITY", "AUTHENTICATION", "SERVICE"]
    creditsRequired: int
    price: str
    currency: str
    balance: int | str
    hint: NotRequired[str]
    docUrl: NotRequired[str]


AccountLimitsQuietHoursMARKETING = TypedDict(
    "AccountLimitsQuietHoursMARKETING",
    {
        "from": "str",
        "until": "str",
    },
)


AccountLimitsQuietHoursUTILITY = TypedDict(
    "AccountLimitsQuietHoursUTILITY",
    {
        "from": "str",
        "until": "str",
    },
)


class AccountLimitsQuietHours(TypedDict):
    MARKETING: NotRequired[AccountLimitsQuietHoursMARKETING]
    UTILITY: NotRequired[AccountLimitsQuietHoursUTILITY]


class AccountLimits(TypedDict):
    perMinute: int | None
    daily: int | None
    monthly: int | None
    paused: bool
    strict: bool
    directSend: Literal["off", "fallback"]
    timeZone: str
    quietHours: AccountLimitsQuietHours | None
    balanceLow: int | str | None


class AccountRequiredProblem(TypedDict):
    """The person has several accounts: `X-Waybill-Account` says which. An account of others is 404."""
    error: str
    code: Literal["ACCOUNT_REQUIRED"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class Actor(TypedDict):
    id: str
    email: NotRequired[str]
    name: NotRequired[str]


class Assignee(TypedDict):
    id: str
    name: str | None


class Bot(TypedDict):
    id: str
    name: str
    description: str | None
    trigger: Literal["KEYWORD", "ANY_MESSAGE", "BUTTON_REPLY", "LIST_REPLY", "OPTIN"]
    triggerKeywords: list[str]
    isActive: bool
    totalExecutions: int
    lastExecutedAt: str | None
    createdAt: str
    triggerMatchType: Literal["EXACT", "CONTAINS", "STARTS_WITH"]
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]


class BotDraft(TypedDict):
    basis: int
    at: str
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]


class BotRunStep(TypedDict):
    nodeId: str
    nodeType: str
    outcome: str | None
    nextNodeId: str | None
    messageId: str | None
    httpStatus: int | None
    detail: str | None
    variables: dict[str, Any]
    at: str


class BotSummaryPhoneNumber(TypedDict):
    phoneNumberId: str
    displayPhoneNumber: str


class BotSummary(TypedDict):
    id: str
    name: str
    description: str | None
    trigger: Literal["KEYWORD", "ANY_MESSAGE", "BUTTON_REPLY", "LIST_REPLY", "OPTIN"]
    triggerKeywords: list[str]
    isActive: bool
    totalExecutions: int
    lastExecutedAt: str | None
    createdAt: str
    phoneNumber: BotSummaryPhoneNumber | None


class BotVersion(TypedDict):
    version: int
    at: str
    name: str
    description: str | None
    phoneNumberId: str | None
    trigger: Literal["KEYWORD", "ANY_MESSAGE", "BUTTON_REPLY", "LIST_REPLY", "OPTIN"]
    triggerKeywords: list[str]
    triggerMatchType: Literal["EXACT", "CONTAINS", "STARTS_WITH"]
    isActive: bool
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]


class CatalogEntry(TypedDict):
    event: str
    title: str
    description: str
    group: Literal["Authentication", "Orders", "Shipping", "Payments & Returns", "Marketing"]
    category: Literal["MARKETING", "UTILITY", "AUTHENTICATION"]
    templateName: str
    language: str
    variables: list[str]
    variableDocs: dict[str, Any]
    preview: str


class ChargePrice(TypedDict):
    """How the price was made."""
    category: Literal["MARKETING", "UTILITY", "AUTHENTICATION", "SERVICE"]
    market: str
    countryCode: str
    sellPrice: str
    currency: str
    planId: str
    planVersion: int


class ChargeRefund(TypedDict):
    cause: Literal["not_sent", "unknown_outcome", "disconnected", "delivery_failed", "swept"]
    at: str


class Charge(TypedDict):
    id: str
    state: Literal["open", "kept", "refunded"]
    at: str
    reason: str
    recipient: str | None
    phoneNumberId: str | None
    amount: str
    unit: str
    price: ChargePrice
    refund: ChargeRefund | None
    message: Message | None
    requestId: str
    position: str
    sequence: int
    hash: str


class ChargeProofLink(TypedDict):
    """The charge, whose hash is the entry."""
    type: Literal["ChargeReserved"]
    version: int
    revision: int
    data: dict[str, Any]
    previousHash: NotRequired[str]
    hash: NotRequired[str]
    accountId: str


class ChargeProof(TypedDict):
    link: ChargeProofLink
    index: int
    path: list[str]
    size: int
    note: str


class ConsoleLink(TypedDict):
    path: str
    expiresAt: str


class Contact(TypedDict):
    """The customer."""
    waId: str | None
    userId: str | None
    name: str | None


class ContentsHiddenProblem(TypedDict):
    """The role does not see what customers write, and this holds or searches it."""
    error: str
    code: Literal["CONTENTS_HIDDEN"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class ConversationLastMessage(TypedDict):
    """The newest message of either direction."""
    id: str | None
    direction: Literal["inbound", "outbound"]
    messageType: str
    text: str | None
    status: str | None
    createdAt: str


class ConversationHandoff(TypedDict):
    by: Literal["bot", "person"]
    botId: str | None
    person: Actor | None
    since: str
    until: str


class Conversation(TypedDict):
    id: str
    phoneNumberId: str
    contact: Contact | None
    erased: NotRequired[Literal[True]]
    lastMessage: ConversationLastMessage
    lastInboundAt: str | None
    lastOutboundAt: str | None
    windowOpen: bool
    windowExpiresAt: str | None
    handoff: ConversationHandoff | None
    assigned: Actor | None
    assignedBy: Actor | None
    labels: list[str]
    messageCount: int
    unreadCount: int
    createdAt: str
    updatedAt: str


class CreatedWebhookReplay(TypedDict):
    id: str
    since: str
    startedAt: str


class CreatedWebhook(TypedDict):
    id: str
    url: str
    events: list[Literal["message.received", "message.sent", "message.delivered", "message.read", "message.failed", "template.status", "number.quality", "job.finished", "job.paused", "scheduled.refused", "account.balance_low", "account.paused"]]
    format: Literal["standard", "graph"]
    description: str | None
    state: Literal["active", "disabled"]
    disabledReason: Literal["owner", "gone", "failing"] | None
    previousSecretUntil: str | None
    replay: CreatedWebhookReplay | None
    createdAt: str
    updatedAt: str
    secret: str


class Entry(TypedDict):
    id: str
    amount: int | str
    balanceAfter: int | str
    type: Literal["DEDUCT", "REFUND", "GRANT", "REVOKE"]
    reason: str | None
    metadata: str | None
    messageId: NotRequired[str | None]
    createdAt: str
    grantedBy: Actor | None
    cause: NotRequired[Literal["not_sent", "unknown_outcome", "disconnected", "delivery_failed", "swept"]]
    position: str
    hash: str


class ErasedProblem(TypedDict):
    """The data of a contact were erased. An answer with that contact is not given again, and its request is not repeated: nothing is sent or charged. A dead letter without its content can only be dismissed."""
    error: str
    code: Literal["ERASED"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class FindResult(TypedDict):
    kind: Literal["message", "charge", "refusal", "contact", "conversation", "number", "bot", "account", "organisation", "key", "action"]
    id: str
    accountId: str | None
    title: str | None


class FreeWritesReachedProblem(TypedDict):
    """The account has reached its plan's daily limit of unpaid data; wait `Retry-After`."""
    error: str
    code: Literal["FREE_WRITES_REACHED"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class IdempotencyInProgressProblem(TypedDict):
    """A request with this `Idempotency-Key` is running: try again after `Retry-After`."""
    error: str
    code: Literal["IDEMPOTENCY_IN_PROGRESS"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class IdempotencyMismatchProblem(TypedDict):
    """Another request has used this `Idempotency-Key`: use a new one."""
    error: str
    code: Literal["IDEMPOTENCY_MISMATCH"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class InsufficientScopeProblem(TypedDict):
    """The key lacks the scope that the text names: use a key with that scope."""
    error: str
    code: Literal["INSUFFICIENT_SCOPE"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class JobPlanTotalsItem(TypedDict):
    category: Literal["MARKETING", "UTILITY", "AUTHENTICATION", "SERVICE"]
    market: str
    count: int
    unitPrice: str
    amount: int | str


class JobPlan(TypedDict):
    rows: int
    good: int
    bad: int
    duplicates: int
    totals: list[JobPlanTotalsItem]
    amount: int | str
    finishesAt: str | None


class JobCounts(TypedDict):
    """Its good rows by what became of them."""
    waiting: int
    sent: int
    delivered: int
    read: int
    failed: int
    refused: int


class Job(TypedDict):
    id: str
    name: str | None
    event: str
    state: Literal["checking", "unusable", "ready", "queued", "running", "paused", "cancelled", "done"]
    reason: str | None
    retryOf: str | None
    plan: JobPlan | None
    counts: JobCounts
    amount: int | str
    sendAt: str | None
    maxAmount: int | str | None
    createdAt: str
    startedAt: str | None
    endedAt: str | None


class JobStateProblem(TypedDict):
    """The state of the job does not allow this; the text says which it is."""
    error: str
    code: Literal["JOB_STATE"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class JobUnusableProblem(TypedDict):
    """The file of a job cannot be used; the text says why and where. Nothing of it is sent."""
    error: str
    code: Literal["JOB_UNUSABLE"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class JobsFullProblem(TypedDict):
    """So many jobs of the account, or megabytes of their rows, wait that no further file is taken."""
    error: str
    code: Literal["JOBS_FULL"]
    limit: Literal["jobs"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class Key(TypedDict):
    id: str
    accountId: str
    name: str
    prefix: str
    state: Literal["active", "inactive", "revoked", "expired"]
    allowedOrigins: list[str] | None
    rateLimit: int
    expiresAt: str | None
    scopes: list[str] | None
    opaqueIsIdempotent: bool
    createdAt: str
    lastUsedAt: str | None


class LaterRule(TypedDict):
    """Why it is due then."""
    by: Literal["sendAt", "deliverBetween", "quietHours"]
    text: str


class Later(TypedDict):
    id: str
    dueAt: str
    timeZone: str | None
    rule: LaterRule
    problems: NotRequired[list[str]]


class LimitReachedProblem(TypedDict):
    """So many sends of the account wait for their time that no further one is taken."""
    error: str
    code: Literal["LIMIT_REACHED"]
    limit: Literal["scheduled"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class Limits(TypedDict):
    perMinute: int | None
    daily: int | None
    monthly: int | None
    paused: bool


class LiveEventsEventsItem(TypedDict):
    type: str
    position: str
    at: str
    accountId: str | None
    chargeId: NotRequired[str]
    status: NotRequired[str]


class LiveEvents(TypedDict):
    events: list[LiveEventsEventsItem]
    more: int


class MessageFlow(TypedDict):
    """What the customer filled in, in a flow; absent of other messages."""
    name: str
    response: dict[str, Any]


class Message(TypedDict):
    id: str | None
    metaMessageId: str | None
    conversationId: str | None
    phoneNumberId: str | None
    direction: Literal["inbound", "outbound"]
    recipientWaId: str | None
    senderWaId: str | None
    contactUserId: str | None
    contactName: str | None
    messageType: str
    status: str | None
    statusTimestamp: str | None
    event: str | None
    templateName: str | None
    text: str | None
    content: dict[str, Any] | None
    flow: NotRequired[MessageFlow]
    contextMessageId: str | None
    category: str | None
    price: str | None
    currency: str | None
    creditsCharged: int | None
    clientReference: str | None
    source: Literal["notification", "api", "bot", "gateway"] | None
    chargeId: str | None
    refunded: bool
    errorCode: str | None
    errorMessage: str | None
    providerStatus: NotRequired[str]
    createdAt: str
    erased: NotRequired[Literal[True]]


class NoPhoneProblem(TypedDict):
    """The account has no number with an access token, or lacks the named one."""
    error: str
    code: Literal["NO_PHONE"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class NotSealedYetProblem(TypedDict):
    """The charge is newer than the last seal of the ledger; there is one each day. Ask again after `Retry-After`."""
    error: str
    code: Literal["NOT_SEALED_YET"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class Note(TypedDict):
    id: str
    text: str | None
    erased: NotRequired[Literal[True]]
    by: Actor | None
    createdAt: str


class NotificationBatchResult(TypedDict):
    to: str
    ok: bool
    messageId: NotRequired[str]
    channel: NotRequired[Literal["template", "direct", "text"]]
    providerStatus: NotRequired[str]
    error: NotRequired[str]
    scheduled: NotRequired[Later]
    code: NotRequired[Literal["UNKNOWN_EVENT", "NO_PHONE", "TEMPLATE_NOT_APPROVED", "SEND_FAILED", "LIMIT_REACHED", "INSUFFICIENT_CREDITS", "INSUFFICIENT_BALANCE"]]


class OrgSuspendedProblem(TypedDict):
    """The organisation of the key is suspended. Only the operator can reinstate it."""
    error: str
    code: Literal["ORG_SUSPENDED"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class OutcomeUnknownProblem(TypedDict):
    """The provider did not answer. The charge was refunded; the history shows a sent message."""
    error: str
    code: Literal["OUTCOME_UNKNOWN"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class OverviewHoursItem(TypedDict):
    hour: str
    sends: int
    refunds: int
    failures: int
    refused: int


class OverviewTotals(TypedDict):
    """The sums over all hours."""
    sends: int
    refunds: int
    failures: int
    refused: int


class OverviewMoneyItem(TypedDict):
    unit: str
    charged: str
    refunded: str


class OverviewRefundsItem(TypedDict):
    cause: Literal["not_sent", "unknown_outcome", "disconnected", "swept", "delivery_failed"]
    count: int


class OverviewFailuresItem(TypedDict):
    code: str
    count: int


class OverviewRefusedItem(TypedDict):
    code: str
    count: int


class OverviewReservations(TypedDict):
    """A send has one for a second; the sweep closes what is older than 15 minutes."""
    open: int
    oldestAt: str | None


class Overview(TypedDict):
    since: str
    hours: list[OverviewHoursItem]
    totals: OverviewTotals
    money: list[OverviewMoneyItem]
    refunds: list[OverviewRefundsItem]
    failures: list[OverviewFailuresItem]
    refused: list[OverviewRefusedItem]
    reservations: OverviewReservations


class OwnAccount(TypedDict):
    id: str
    name: str
    billing: Literal["credits", "wallet"]
    currency: str
    pausedReason: str | None
    limits: AccountLimits
    topUp: str | None


class Person(TypedDict):
    id: str
    name: str | None
    email: str | None
    role: Literal["owner", "manager", "developer", "agent", "viewer", "admin", "support", "auditor"]
    organisationId: str | None
    accounts: list[str] | None
    state: Literal["invited", "active", "suspended", "erased"]
    invitedUntil: str | None
    createdAt: str


class PersonRequiredProblem(TypedDict):
    """An API key cannot do this: a person signs in for it."""
    error: str
    code: Literal["PERSON_REQUIRED"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class PhoneHealthDirectSend(TypedDict):
    """Only for a day after the provider refused a message without a template (Direct Send), in accounts that send such messages."""
    state: Literal["not_onboarded", "restricted"]
    until: str


class PhoneHealth(TypedDict):
    """Only for a number that the provider blocks or limits, or that sends nothing without a template for a day: whether it can send, and why not."""
    canSend: bool
    blockers: list[str]
    status: NotRequired[Literal["LIMITED"]]
    limits: NotRequired[list[str]]
    directSend: NotRequired[PhoneHealthDirectSend]


class Phone(TypedDict):
    phoneNumberId: str
    displayPhoneNumber: str
    verifiedName: str
    qualityRating: Literal["GREEN", "YELLOW", "RED", "UNKNOWN"] | None
    subscribed: bool | None
    messagingLimit: str | None
    messagingAccountId: str | None
    health: NotRequired[PhoneHealth]


class Problem(TypedDict):
    """Every error body has `error`, a text for people: branch on status and code."""
    error: str
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class QuickReply(TypedDict):
    id: str
    name: str
    text: str
    createdAt: str


class QuoteRefusal(TypedDict):
    status: int
    code: str | None
    error: str | dict[str, Any]
    hint: str | None


class QuoteItemsItem(TypedDict):
    to: str
    channel: Literal["template", "direct", "text"] | None
    category: Literal["MARKETING", "UTILITY", "AUTHENTICATION", "SERVICE"] | None
    market: str | None
    price: str | None
    creditsCharged: int | None
    templateStatus: Literal["APPROVED", "PENDING", "REJECTED", "NOT_CREATED"] | None
    windowClosesAt: str | None
    dueAt: str | None
    problems: list[str]


class QuoteTotalsItem(TypedDict):
    category: Literal["MARKETING", "UTILITY", "AUTHENTICATION", "SERVICE"]
    market: str
    count: int
    unitPrice: str
    amount: int | str


class Quote(TypedDict):
    quoteId: str | None
    validUntil: str | None
    would: Literal["send", "partly", "refuse"]
    covered: int
    refusal: QuoteRefusal | None
    amount: int | str
    currency: str
    balance: int | str
    balanceAfter: int | str
    items: list[QuoteItemsItem]
    totals: list[QuoteTotalsItem]


class QuoteChangedProblemDetails(TypedDict):
    quoted: int | str
    now: int | str


class QuoteChangedProblem(TypedDict):
    """The send would cost something else than its `quoteId` says: `details` has both amounts. Nothing was sent or charged."""
    error: str
    code: Literal["QUOTE_CHANGED"]
    details: QuoteChangedProblemDetails
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class QuoteExpiredProblem(TypedDict):
    """A quote holds for 10 minutes. Nothing was sent or charged: ask for a new one."""
    error: str
    code: Literal["QUOTE_EXPIRED"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class QuoteInvalidProblem(TypedDict):
    """The `quoteId` is no quote of this account, or was changed on its way."""
    error: str
    code: Literal["QUOTE_INVALID"]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class ReadinessEntryChangingTo(TypedDict):
    """Only while the provider has announced a change of the category, and so of the price."""
    category: str
    at: str | None


class ReadinessEntry(TypedDict):
    event: str
    title: str
    description: str
    group: Literal["Authentication", "Orders", "Shipping", "Payments & Returns", "Marketing"]
    category: Literal["MARKETING", "UTILITY", "AUTHENTICATION"]
    templateName: str
    language: str
    variables: list[str]
    variableDocs: dict[str, Any]
    preview: str
    status: Literal["APPROVED", "PENDING", "REJECTED", "NOT_CREATED"]
    statusReason: str | None
    ready: bool
    via: Literal["template", "direct"] | None
    changingTo: NotRequired[ReadinessEntryChangingTo]


class Run(TypedDict):
    id: str
    botId: str
    phoneNumberId: str
    contact: Contact | None
    erased: NotRequired[Literal[True]]
    messageId: str | None
    state: Literal["running", "waiting", "ended"]
    waitsFor: Literal["reply", "delay"] | None
    waitsUntil: str | None
    nodeId: str | None
    stepCount: int
    reason: Literal["completed", "handoff", "timeout", "failed", "bounds", "superseded", "bot_deleted", "bot_inactive", "number_unlinked", "erased"] | None
    detail: str | None
    startedAt: str
    endedAt: str | None


class ScheduledSendRule(TypedDict):
    """Why it is due then."""
    by: Literal["sendAt", "deliverBetween", "quietHours"]
    text: str


class ScheduledSendError(TypedDict):
    status: int
    code: str
    error: str
    reason: NotRequired[str]
    limit: NotRequired[str]
    providerCode: NotRequired[int | None]
    providerMessage: NotRequired[str]


class ScheduledSend(TypedDict):
    id: str
    state: Literal["waiting", "sending", "sent", "refused", "expired", "cancelled", "erased"]
    kind: Literal["notification", "message"]
    dueAt: str
    notAfter: str
    timeZone: str | None
    rule: ScheduledSendRule
    to: str | None
    event: str | None
    createdAt: str
    metaMessageId: str | None
    chargeId: str | None
    error: ScheduledSendError | None
    problems: list[str]
    erased: NotRequired[Literal[True]]


class Send(TypedDict):
    id: str
    requestId: str
    at: str
    to: str | None
    contactUserId: str | None
    phoneNumberId: str | None
    source: Literal["notification", "api", "bot", "gateway"]
    event: str | None
    templateName: str | None
    channel: Literal["template", "direct", "text"]
    category: Literal["MARKETING", "UTILITY", "AUTHENTICATION", "SERVICE"]
    price: str
    currency: str
    state: Literal["pending", "accepted", "refused", "unreachable", "unknown", "not_sent", "disconnected", "swept"]
    metaMessageId: str | None
    error: SendFailure | None
    charged: int | str
    refunded: int | str
    tookMs: int | None


class SendFailure(TypedDict):
    code: str
    providerCode: int | None
    title: str | None
    hint: str | None
    docUrl: str | None


class SendRefusals(TypedDict):
    code: str
    minute: str
    count: int
    firstRequestId: str
    lastRequestId: str
    to: str | None


class StatementAccount(TypedDict):
    """The account."""
    id: str
    name: str


class StatementOrganisation(TypedDict):
    """The organisation of the account."""
    id: str
    name: str


class StatementIssuer(TypedDict):
    name: str
    address: str | None
    taxId: str | None


StatementPeriod = TypedDict(
    "StatementPeriod",
    {
        "from": "str",
        "to": "str",
    },
)


class StatementGrantsItem(TypedDict):
    at: str
    type: Literal["DEDUCT", "REFUND", "GRANT", "REVOKE"]
    kind: Literal["top_up", "adjustment"] | None
    amount: int | str
    reason: str | None
    by: Actor | None


class StatementChargesItem(TypedDict):
    category: Literal["MARKETING", "UTILITY", "AUTHENTICATION", "SERVICE"]
    market: str
    unitPrice: str
    creditsEach: int | None
    count: int
    amount: int | str


class StatementRefundsItem(TypedDict):
    cause: Literal["not_sent", "unknown_outcome", "disconnected", "delivery_failed", "swept"]
    count: int
    amount: int | str


class StatementCost(TypedDict):
    """Absent with `cost=false`."""
    sold: str
    prices: str
    rounding: str
    providerCost: str
    margin: str
    currency: str


class StatementChainFirst(TypedDict):
    sequence: int
    hash: str


class StatementChainLast(TypedDict):
    sequence: int
    hash: str


class StatementChain(TypedDict):
    """The part of the hash chain that the statement counts."""
    first: StatementChainFirst | None
    last: StatementChainLast | None
    links: int


class StatementSeal(TypedDict):
    number: int
    at: str
    position: str
    root: str


class StatementEarlierItemGrantsItem(TypedDict):
    at: str
    type: Literal["DEDUCT", "REFUND", "GRANT", "REVOKE"]
    kind: Literal["top_up", "adjustment"] | None
    amount: int | str
    reason: str | None
    by: Actor | None


class StatementEarlierItemChargesItem(TypedDict):
    category: Literal["MARKETING", "UTILITY", "AUTHENTICATION", "SERVICE"]
    market: str
    unitPrice: str
    creditsEach: int | None
    count: int
    amount: int | str


class StatementEarlierItemRefundsItem(TypedDict):
    cause: Literal["not_sent", "unknown_outcome", "disconnected", "delivery_failed", "swept"]
    count: int
    amount: int | str


class StatementEarlierItemCost(TypedDict):
    """Absent with `cost=false`."""
    sold: str
    prices: str
    rounding: str
    providerCost: str
    margin: str
    currency: str


class StatementEarlierItem(TypedDict):
    billing: Literal["credits", "wallet"]
    currency: str
    opening: int | str
    closing: int | str
    grants: list[StatementEarlierItemGrantsItem]
    charges: list[StatementEarlierItemChargesItem]
    refunds: list[StatementEarlierItemRefundsItem]
    cost: NotRequired[StatementEarlierItemCost]


class Statement(TypedDict):
    accountId: str
    number: str
    date: str | None
    account: StatementAccount
    organisation: StatementOrganisation
    issuer: StatementIssuer | None
    period: StatementPeriod
    billing: Literal["credits", "wallet"]
    currency: str
    opening: int | str
    closing: int | str
    grants: list[StatementGrantsItem]
    charges: list[StatementChargesItem]
    refunds: list[StatementRefundsItem]
    cost: NotRequired[StatementCost]
    chain: StatementChain
    seal: StatementSeal | None
    final: bool
    earlier: NotRequired[list[StatementEarlierItem]]


class Step(TypedDict):
    nodeId: str
    nodeType: str
    outcome: str | None
    nextNodeId: str | None
    messageId: str | None
    httpStatus: int | None
    detail: str | None
    variables: dict[str, Any]


class SubmissionResult(TypedDict):
    event: str
    templateName: str
    category: str
    state: Literal["submitted", "already_exists", "failed"]
    status: NotRequired[str]
    metaTemplateId: NotRequired[str]
    error: NotRequired[str]


class TemplateChangingTo(TypedDict):
    """Only while the provider has announced a change of the category, and so of the price."""
    category: str
    at: str | None


class Template(TypedDict):
    id: str | None
    name: str
    language: str
    category: str
    status: Literal["APPROVED", "PENDING", "REJECTED"]
    changingTo: NotRequired[TemplateChangingTo]


class TemplateNotApprovedProblemDetails(TypedDict):
    event: str
    templateName: str
    language: str
    approvedLanguages: list[str]


class TemplateNotApprovedProblem(TypedDict):
    """The event has no approved template on this number: read the readiness until it has."""
    error: str
    code: Literal["TEMPLATE_NOT_APPROVED"]
    details: TemplateNotApprovedProblemDetails
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class Transaction(TypedDict):
    id: str
    amount: int
    balanceAfter: int
    type: Literal["DEDUCT", "REFUND", "GRANT", "REVOKE"]
    reason: str | None
    metadata: str | None
    messageId: NotRequired[str | None]
    createdAt: str
    grantedBy: Actor | None
    cause: NotRequired[Literal["not_sent", "unknown_outcome", "disconnected", "delivery_failed", "swept"]]


class UnknownEventProblem(TypedDict):
    """The catalog has no such event; `supportedEvents` lists its events."""
    error: str
    code: Literal["UNKNOWN_EVENT"]
    supportedEvents: list[str]
    didYouMean: NotRequired[str]
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class Usage(TypedDict):
    minute: int
    day: int
    month: int


class ValidationProblemError(TypedDict):
    formErrors: list[str]
    fieldErrors: dict[str, Any]


class ValidationProblem(TypedDict):
    """The request does not match its schema."""
    error: ValidationProblemError
    hint: NotRequired[str]
    docUrl: NotRequired[str]


class WalletTransaction(TypedDict):
    id: str
    amount: str
    balanceAfter: str
    type: Literal["DEDUCT", "REFUND", "GRANT", "REVOKE"]
    reason: str | None
    metadata: str | None
    messageId: NotRequired[str | None]
    createdAt: str
    grantedBy: Actor | None
    cause: NotRequired[Literal["not_sent", "unknown_outcome", "disconnected", "delivery_failed", "swept"]]


class WebhookReplay(TypedDict):
    id: str
    since: str
    startedAt: str


class Webhook(TypedDict):
    id: str
    url: str
    events: list[Literal["message.received", "message.sent", "message.delivered", "message.read", "message.failed", "template.status", "number.quality", "job.finished", "job.paused", "scheduled.refused", "account.balance_low", "account.paused"]]
    format: Literal["standard", "graph"]
    description: str | None
    state: Literal["active", "disabled"]
    disabledReason: Literal["owner", "gone", "failing"] | None
    previousSecretUntil: str | None
    replay: WebhookReplay | None
    createdAt: str
    updatedAt: str


class WebhookDelivery(TypedDict):
    id: str
    eventId: str
    event: Literal["message.received", "message.sent", "message.delivered", "message.read", "message.failed", "template.status", "number.quality", "job.finished", "job.paused", "scheduled.refused", "account.balance_low", "account.paused"] | Literal["webhook.test"]
    state: Literal["waiting", "delivered", "failed"]
    attempts: int
    statusCode: int | None
    latencyMs: int | None
    error: str | None
    lastAttemptAt: str | None
    nextAttemptAt: str | None
    createdAt: str


class WebhookDeliveryWithBodyCallsItemAnswer(TypedDict):
    head: str
    body: str | None


class WebhookDeliveryWithBodyCallsItem(TypedDict):
    attempt: int
    at: str
    statusCode: int | None
    latencyMs: int
    error: str | None
    answer: WebhookDeliveryWithBodyCallsItemAnswer | None


class WebhookDeliveryWithBody(TypedDict):
    id: str
    eventId: str
    event: Literal["message.received", "message.sent", "message.delivered", "message.read", "message.failed", "template.status", "number.quality", "job.finished", "job.paused", "scheduled.refused", "account.balance_low", "account.paused"] | Literal["webhook.test"]
    state: Literal["waiting", "delivered", "failed"]
    attempts: int
    statusCode: int | None
    latencyMs: int | None
    error: str | None
    lastAttemptAt: str | None
    nextAttemptAt: str | None
    createdAt: str
    body: dict[str, Any] | None
    calls: list[WebhookDeliveryWithBodyCallsItem]


class WebhookSecret(TypedDict):
    secret: str
    previousUntil: str


GetCatalogAnswer: TypeAlias = "list[CatalogEntry]"


class GetReadinessAnswerHealthDirectSend(TypedDict):
    """Only for a day after the provider refused a message without a template (Direct Send), in accounts that send such messages."""
    state: Literal["not_onboarded", "restricted"]
    until: str


class GetReadinessAnswerHealth(TypedDict):
    """Whether the number can send."""
    canSend: bool
    blockers: list[str]
    status: NotRequired[Literal["LIMITED"]]
    limits: NotRequired[list[str]]
    directSend: NotRequired[GetReadinessAnswerHealthDirectSend]


class GetReadinessAnswer(TypedDict):
    phoneNumberId: str
    total: int
    ready: int
    health: GetReadinessAnswerHealth
    events: list[ReadinessEntry]


class SubmitCatalogBody(TypedDict):
    phoneNumberId: NotRequired[str]
    events: NotRequired[list[str]]
    onlyMissing: NotRequired[bool]


class SubmitCatalogAnswer(TypedDict):
    success: Literal[True]
    phoneNumberId: str
    submitted: int
    existing: int
    failed: int
    results: list[SubmissionResult]
    note: str


class SendNotificationAnswer(TypedDict):
    success: Literal[True]
    messageId: str
    channel: Literal["template", "direct", "text"]
    event: str
    template: str | None
    missingVariables: NotRequired[list[str]]
    providerStatus: NotRequired[str]


class SendNotificationBatchAnswer(TypedDict):
    success: Literal[True]
    sent: int
    failed: int
    results: list[NotificationBatchResult]


class SendMessageBodyText(TypedDict):
    """For type `text`: `body` is required."""
    body: NotRequired[str]
    previewUrl: NotRequired[bool]


class SendMessageBodyTemplate(TypedDict):
    """For type `template`: `name` is required, `components` stay untouched."""
    name: NotRequired[str]
    language: NotRequired[str]
    components: NotRequired[list[Any]]


class SendMessageBodyMedia(TypedDict):
    """For type `media`: `type` and exactly one of `link` and `id` are required."""
    type: NotRequired[Literal["image", "video", "audio", "document", "sticker"]]
    link: NotRequired[str]
    id: NotRequired[str]
    caption: NotRequired[str]
    filename: NotRequired[str]


class SendMessageBodyLocation(TypedDict):
    """For type `location`: `latitude` and `longitude` are required."""
    latitude: NotRequired[float]
    longitude: NotRequired[float]
    name: NotRequired[str]
    address: NotRequired[str]


class SendMessageBodyInteractiveBody(TypedDict):
    """The text."""
    text: str


class SendMessageBodyInteractiveFooter(TypedDict):
    """A line below the text."""
    text: str


class SendMessageBodyInteractiveActionParametersFlowActionPayload(TypedDict):
    """The first screen, and its data."""
    screen: str
    data: NotRequired[dict[str, Any]]


class SendMessageBodyInteractiveActionParameters(TypedDict):
    """Which flow, and how it is opened."""
    flow_message_version: Literal["3"]
    flow_id: NotRequired[str]
    flow_name: NotRequired[str]
    flow_cta: str
    flow_token: NotRequired[str]
    mode: NotRequired[Literal["draft", "published"]]
    flow_action: NotRequired[Literal["navigate", "data_exchange"]]
    flow_action_payload: NotRequired[SendMessageBodyInteractiveActionParametersFlowActionPayload]


class SendMessageBodyInteractiveAction(TypedDict):
    """The button that opens the flow."""
    name: Literal["flow"]
    parameters: SendMessageBodyInteractiveActionParameters


class SendMessageBodyInteractive(TypedDict):
    type: Literal["flow"]
    header: NotRequired[dict[str, Any]]
    body: SendMessageBodyInteractiveBody
    footer: NotRequired[SendMessageBodyInteractiveFooter]
    action: SendMessageBodyInteractiveAction


class SendMessageBodyReaction(TypedDict):
    """For type `reaction`: both fields are required."""
    messageId: NotRequired[str]
    emoji: NotRequired[str]


SendMessageBodyDeliverBetween = TypedDict(
    "SendMessageBodyDeliverBetween",
    {
        "from": "str",
        "until": "str",
        "days": "NotRequired[list[int]]",
        "timeZone": "NotRequired[str]",
    },
)


class SendMessageBody(TypedDict):
    to: str
    type: Literal["text", "template", "media", "location", "interactive", "contacts", "reaction"]
    phoneNumberId: NotRequired[str]
    text: NotRequired[SendMessageBodyText]
    template: NotRequired[SendMessageBodyTemplate]
    media: NotRequired[SendMessageBodyMedia]
    location: NotRequired[SendMessageBodyLocation]
    interactive: NotRequired[SendMessageBodyInteractive | dict[str, Any]]
    contacts: NotRequired[list[dict[str, Any]]]
    reaction: NotRequired[SendMessageBodyReaction]
    contextMessageId: NotRequired[str]
    clientReference: NotRequired[str]
    strict: NotRequired[bool]
    sendAt: NotRequired[str]
    deliverBetween: NotRequired[SendMessageBodyDeliverBetween]
    notAfter: NotRequired[str]
    ignoreQuietHours: NotRequired[bool]
    quoteId: NotRequired[str]


class SendMessageAnswer(TypedDict):
    success: Literal[True]
    messageId: str
    type: str
    to: str
    phoneNumberId: str
    providerStatus: NotRequired[str]


class GetMessageStatusAnswer(TypedDict):
    metaMessageId: str
    status: str | None
    statusTimestamp: str | None
    messageType: str
    recipientWaId: str | None
    contactUserId: str | None
    errorCode: str | None
    errorMessage: str | None
    createdAt: str
    event: str | None
    erased: NotRequired[Literal[True]]


class ListMessagesAnswer(TypedDict):
    messages: list[Message]
    nextCursor: str | None


class GetMessageTimelineAnswerTimelineItem(TypedDict):
    type: str
    at: str
    by: NotRequired[Actor]
    data: dict[str, Any]


class GetMessageTimelineAnswer(TypedDict):
    messageId: str | None
    erased: NotRequired[Literal[True]]
    timeline: list[GetMessageTimelineAnswerTimelineItem]


class ExplainMessageAnswerRulesItemEvent(TypedDict):
    type: str
    position: str
    at: str


class ExplainMessageAnswerRulesItem(TypedDict):
    rule: str
    value: str
    why: str
    event: ExplainMessageAnswerRulesItemEvent | None


class ExplainMessageAnswer(TypedDict):
    messageId: str
    outcome: str
    rules: list[ExplainMessageAnswerRulesItem]


class ReadMessageBody(TypedDict):
    typing: NotRequired[bool]


class ReadMessageAnswer(TypedDict):
    success: Literal[True]
    messageId: str


class ListSendRefusalsAnswer(TypedDict):
    refusals: list[SendRefusals]
    nextCursor: str | None


class ListSendsAnswer(TypedDict):
    sends: list[Send]
    nextCursor: str | None


class ListScheduledAnswer(TypedDict):
    scheduled: list[ScheduledSend]
    nextCursor: str | None


GetScheduledAnswer: TypeAlias = "ScheduledSend"


UpdateScheduledBodyDeliverBetween = TypedDict(
    "UpdateScheduledBodyDeliverBetween",
    {
        "from": "str",
        "until": "str",
        "days": "NotRequired[list[int]]",
        "timeZone": "NotRequired[str]",
    },
)


class UpdateScheduledBodyText(TypedDict):
    """For type `text`: `body` is required."""
    body: NotRequired[str]
    previewUrl: NotRequired[bool]


class UpdateScheduledBodyTemplate(TypedDict):
    """For type `template`: `name` is required, `components` stay untouched."""
    name: NotRequired[str]
    language: NotRequired[str]
    components: NotRequired[list[Any]]


class UpdateScheduledBodyMedia(TypedDict):
    """For type `media`: `type` and exactly one of `link` and `id` are required."""
    type: NotRequired[Literal["image", "video", "audio", "document", "sticker"]]
    link: NotRequired[str]
    id: NotRequired[str]
    caption: NotRequired[str]
    filename: NotRequired[str]


class UpdateScheduledBodyLocation(TypedDict):
    """For type `location`: `latitude` and `longitude` are required."""
    latitude: NotRequired[float]
    longitude: NotRequired[float]
    name: NotRequired[str]
    address: NotRequired[str]


class UpdateScheduledBodyInteractiveBody(TypedDict):
    """The text."""
    text: str


class UpdateScheduledBodyInteractiveFooter(TypedDict):
    """A line below the text."""
    text: str


class UpdateScheduledBodyInteractiveActionParametersFlowActionPayload(TypedDict):
    """The first screen, and its data."""
    screen: str
    data: NotRequired[dict[str, Any]]


class UpdateScheduledBodyInteractiveActionParameters(TypedDict):
    """Which flow, and how it is opened."""
    flow_message_version: Literal["3"]
    flow_id: NotRequired[str]
    flow_name: NotRequired[str]
    flow_cta: str
    flow_token: NotRequired[str]
    mode: NotRequired[Literal["draft", "published"]]
    flow_action: NotRequired[Literal["navigate", "data_exchange"]]
    flow_action_payload: NotRequired[UpdateScheduledBodyInteractiveActionParametersFlowActionPayload]


class UpdateScheduledBodyInteractiveAction(TypedDict):
    """The button that opens the flow."""
    name: Literal["flow"]
    parameters: UpdateScheduledBodyInteractiveActionParameters


class UpdateScheduledBodyInteractive(TypedDict):
    type: Literal["flow"]
    header: NotRequired[dict[str, Any]]
    body: UpdateScheduledBodyInteractiveBody
    footer: NotRequired[UpdateScheduledBodyInteractiveFooter]
    action: UpdateScheduledBodyInteractiveAction


class UpdateScheduledBodyReaction(TypedDict):
    """For type `reaction`: both fields are required."""
    messageId: NotRequired[str]
    emoji: NotRequired[str]


class UpdateScheduledBody(TypedDict):
    variables: NotRequired[dict[str, Any]]
    phoneNumberId: NotRequired[str]
    languageCode: NotRequired[str]
    allowTextFallback: NotRequired[bool]
    clientReference: NotRequired[str]
    strict: NotRequired[bool]
    sendAt: NotRequired[str | None]
    deliverBetween: NotRequired[UpdateScheduledBodyDeliverBetween | None]
    notAfter: NotRequired[str | None]
    ignoreQuietHours: NotRequired[bool]
    text: NotRequired[UpdateScheduledBodyText]
    template: NotRequired[UpdateScheduledBodyTemplate]
    media: NotRequired[UpdateScheduledBodyMedia]
    location: NotRequired[UpdateScheduledBodyLocation]
    interactive: NotRequired[UpdateScheduledBodyInteractive | dict[str, Any]]
    contacts: NotRequired[list[dict[str, Any]]]
    reaction: NotRequired[UpdateScheduledBodyReaction]
    contextMessageId: NotRequired[str]


UpdateScheduledAnswer: TypeAlias = "ScheduledSend"


CancelScheduledAnswer: TypeAlias = "ScheduledSend"


SendScheduledNowAnswer: TypeAlias = "ScheduledSend"


class CreateJobBodyColumns(TypedDict):
    """Which columns of the rows hold what."""
    to: str
    clientReference: NotRequired[str]
    variables: NotRequired[dict[str, Any]]


CreateJobBodyDeliverBetween = TypedDict(
    "CreateJobBodyDeliverBetween",
    {
        "from": "str",
        "until": "str",
        "days": "NotRequired[list[int]]",
        "timeZone": "NotRequired[str]",
    },
)


class CreateJobBodyPauseWhen(TypedDict):
    """Pauses above this share of failed messages, from 100 messages on, and at a quality of RED or RESTRICTED."""
    failedShare: NotRequired[float]
    quality: NotRequired[bool]


class CreateJobBody(TypedDict):
    name: NotRequired[str]
    event: str
    languageCode: NotRequired[str]
    phoneNumberId: NotRequired[str]
    columns: CreateJobBodyColumns
    maxAmount: NotRequired[int | str]
    perSecond: NotRequired[int]
    sendAt: NotRequired[str]
    deliverBetween: NotRequired[CreateJobBodyDeliverBetween]
    pauseWhen: NotRequired[CreateJobBodyPauseWhen]
    rows: list[dict[str, Any]]


class CreateJobAnswer(TypedDict):
    id: str
    state: Literal["checking"]


class ListJobsAnswer(TypedDict):
    jobs: list[Job]
    nextCursor: str | None


GetJobAnswer: TypeAlias = "Job"


StartJobAnswer: TypeAlias = "Job"


PauseJobAnswer: TypeAlias = "Job"


ResumeJobAnswer: TypeAlias = "Job"


CancelJobAnswer: TypeAlias = "Job"


class ListJobRowsAnswerRowsItem(TypedDict):
    row: int
    state: Literal["waiting", "sending", "sent", "delivered", "read", "failed", "refused", "bad", "duplicate"]
    error: str | None
    metaMessageId: str | None
    chargeId: str | None


class ListJobRowsAnswer(TypedDict):
    rows: list[ListJobRowsAnswerRowsItem]
    nextCursor: str | None


class RetryJobAnswer(TypedDict):
    id: str
    state: Literal["checking"]


GetOwnAccountAnswer: TypeAlias = "OwnAccount"


class UpdateOwnAccountBody(TypedDict):
    balanceLow: int | str | None


UpdateOwnAccountAnswer: TypeAlias = "OwnAccount"


GetOverviewAnswer: TypeAlias = "Overview"


class ListConversationsAnswer(TypedDict):
    conversations: list[Conversation]
    nextCursor: str | None


GetConversationAnswer: TypeAlias = "Conversation"


class TakeConversationBody(TypedDict):
    minutes: NotRequired[int]
    until: NotRequired[str]


class TakeConversationAnswer(TypedDict):
    success: Literal[True]
    until: str


class GiveConversationBackAnswer(TypedDict):
    success: Literal[True]


class ListAssigneesAnswer(TypedDict):
    assignees: list[Assignee]
    nextCursor: str | None


class AssignConversationBody(TypedDict):
    personId: str | None


class AssignConversationAnswer(TypedDict):
    success: Literal[True]


class LabelConversationBody(TypedDict):
    labels: list[str]


class LabelConversationAnswer(TypedDict):
    success: Literal[True]


class CreateConversationNoteBody(TypedDict):
    text: str


CreateConversationNoteAnswer: TypeAlias = "Note"


class ListConversationNotesAnswer(TypedDict):
    notes: list[Note]
    nextCursor: str | None


class ListQuickRepliesAnswer(TypedDict):
    quickReplies: list[QuickReply]
    nextCursor: str | None


class CreateQuickReplyBody(TypedDict):
    name: str
    text: str


CreateQuickReplyAnswer: TypeAlias = "QuickReply"


class UpdateQuickReplyBody(TypedDict):
    name: NotRequired[str]
    text: NotRequired[str]


UpdateQuickReplyAnswer: TypeAlias = "QuickReply"


class DeleteQuickReplyAnswer(TypedDict):
    success: Literal[True]


ListPhonesAnswer: TypeAlias = "list[Phone]"


class UpdatePhoneWebhookBody(TypedDict):
    webhookUrl: NotRequired[str | None]


class UpdatePhoneWebhookAnswer(TypedDict):
    success: Literal[True]


ListBotsAnswer: TypeAlias = "list[BotSummary]"


class CreateBotBody(TypedDict):
    name: str
    description: NotRequired[str | None]
    phoneNumberId: NotRequired[str | None]
    trigger: NotRequired[Literal["KEYWORD", "ANY_MESSAGE", "BUTTON_REPLY", "LIST_REPLY", "OPTIN"]]
    triggerKeywords: NotRequired[list[str]]
    triggerMatchType: NotRequired[Literal["EXACT", "CONTAINS", "STARTS_WITH"]]
    isActive: NotRequired[bool]
    nodes: NotRequired[list[dict[str, Any]]]
    edges: NotRequired[list[dict[str, Any]]]


CreateBotAnswer: TypeAlias = "Bot"


GetBotAnswer: TypeAlias = "Bot"


class UpdateBotBody(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str | None]
    phoneNumberId: NotRequired[str | None]
    trigger: NotRequired[Literal["KEYWORD", "ANY_MESSAGE", "BUTTON_REPLY", "LIST_REPLY", "OPTIN"]]
    triggerKeywords: NotRequired[list[str]]
    triggerMatchType: NotRequired[Literal["EXACT", "CONTAINS", "STARTS_WITH"]]
    isActive: NotRequired[bool]
    nodes: NotRequired[list[dict[str, Any]]]
    edges: NotRequired[list[dict[str, Any]]]


UpdateBotAnswer: TypeAlias = "Bot"


class DeleteBotAnswer(TypedDict):
    success: Literal[True]


class GetBotDraftAnswer(TypedDict):
    draft: BotDraft | None


class SetBotDraftBody(TypedDict):
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]


class SetBotDraftAnswer(TypedDict):
    draft: BotDraft | None


class DeleteBotDraftAnswer(TypedDict):
    success: Literal[True]


class PublishBotBody(TypedDict):
    version: NotRequired[int]


PublishBotAnswer: TypeAlias = "Bot"


class ValidateBotBody(TypedDict):
    nodes: NotRequired[Any]
    edges: NotRequired[Any]


class ValidateBotAnswerProblemsItem(TypedDict):
    nodeId: str | None
    edgeId: str | None
    message: str


class ValidateBotAnswer(TypedDict):
    valid: bool
    problems: list[ValidateBotAnswerProblemsItem]


class SimulateBotBodyMessagesItem(TypedDict):
    text: str


class SimulateBotBodyMessagesItem1(TypedDict):
    buttonId: str


class SimulateBotBodyMessagesItem2(TypedDict):
    rowId: str


class SimulateBotBodyMessagesItem3(TypedDict):
    wait: float


class SimulateBotBodyContact(TypedDict):
    """The simulated customer."""
    waId: NotRequired[str | None]
    userId: NotRequired[str | None]
    name: NotRequired[str | None]


class SimulateBotBody(TypedDict):
    messages: list[SimulateBotBodyMessagesItem | SimulateBotBodyMessagesItem1 | SimulateBotBodyMessagesItem2 | SimulateBotBodyMessagesItem3]
    contact: NotRequired[SimulateBotBodyContact]
    nodes: NotRequired[list[dict[str, Any]]]
    edges: NotRequired[list[dict[str, Any]]]
    httpResponses: NotRequired[dict[str, Any]]


class SimulateBotAnswerTranscriptItem(TypedDict):
    direction: Literal["inbound", "outbound"]
    type: str
    text: str | None
    nodeId: str | None
    at: str
    buttonId: NotRequired[str]
    rowId: NotRequired[str]
    content: NotRequired[dict[str, Any]]


class SimulateBotAnswer(TypedDict):
    transcript: list[SimulateBotAnswerTranscriptItem]
    path: list[str]
    steps: list[Step]
    variables: dict[str, Any]
    ended: bool
    reason: Literal["completed", "handoff", "timeout", "failed", "bounds", "superseded", "bot_deleted", "bot_inactive", "number_unlinked", "erased"] | Literal["reply", "delay"] | None
    detail: str | None
    wouldStart: bool | None


class ListBotRunsAnswer(TypedDict):
    runs: list[Run]
    nextCursor: str | None


class GetBotRunAnswer(TypedDict):
    id: str
    botId: str
    phoneNumberId: str
    contact: Contact | None
    erased: NotRequired[Literal[True]]
    messageId: str | None
    state: Literal["running", "waiting", "ended"]
    waitsFor: Literal["reply", "delay"] | None
    waitsUntil: str | None
    nodeId: str | None
    stepCount: int
    reason: Literal["completed", "handoff", "timeout", "failed", "bounds", "superseded", "bot_deleted", "bot_inactive", "number_unlinked", "erased"] | None
    detail: str | None
    startedAt: str
    endedAt: str | None
    path: list[str]
    steps: list[BotRunStep]
    variables: dict[str, Any]
    truncated: bool


class ListBotVersionsAnswer(TypedDict):
    versions: list[BotVersion]
    nextCursor: str | None


ListTemplatesAnswer: TypeAlias = "list[Template]"


class CreateTemplateBody(TypedDict):
    phoneNumberId: str
    name: str
    language: NotRequired[str]
    category: Literal["MARKETING", "UTILITY", "AUTHENTICATION"]
    components: list[dict[str, Any]]
    parameterFormat: NotRequired[Literal["NAMED", "POSITIONAL"]]
    messageSendTtlSeconds: NotRequired[int]


class CreateTemplateAnswerChangingTo(TypedDict):
    """Only while the provider has announced a change of the category, and so of the price."""
    category: str
    at: str | None


class CreateTemplateAnswer(TypedDict):
    id: str
    name: str
    language: str
    category: str
    status: Literal["APPROVED", "PENDING", "REJECTED"]
    changingTo: NotRequired[CreateTemplateAnswerChangingTo]


class GetTemplateAnswerChangingTo(TypedDict):
    """Only while the provider has announced a change of the category, and so of the price."""
    category: str
    at: str | None


class GetTemplateAnswer(TypedDict):
    id: str | None
    name: str
    language: str
    category: str
    status: Literal["APPROVED", "PENDING", "REJECTED"]
    changingTo: NotRequired[GetTemplateAnswerChangingTo]
    components: list[Any]


class GetCreditsAnswer(TypedDict):
    balance: int
    transactions: list[Transaction]


class CreateQuoteBody(TypedDict):
    kind: Literal["notification", "message", "batch", "job"]
    request: dict[str, Any]


CreateQuoteAnswer: TypeAlias = "Quote"


GetChargeAnswer: TypeAlias = "Charge"


GetCreditProofAnswer: TypeAlias = "ChargeProof"


class GetWalletAnswer(TypedDict):
    balance: str
    currency: str
    transactions: list[WalletTransaction]


class GetLedgerAnswer(TypedDict):
    entries: list[Entry]
    nextCursor: str | None


class ListWebhooksAnswer(TypedDict):
    webhooks: list[Webhook]


class CreateWebhookBody(TypedDict):
    url: str
    events: list[Literal["message.received", "message.sent", "message.delivered", "message.read", "message.failed", "template.status", "number.quality", "job.finished", "job.paused", "scheduled.refused", "account.balance_low", "account.paused"]]
    description: NotRequired[str | None]
    verifyToken: NotRequired[str]
    format: NotRequired[Literal["standard", "graph"]]


CreateWebhookAnswer: TypeAlias = "CreatedWebhook"


GetWebhookAnswer: TypeAlias = "Webhook"


class UpdateWebhookBody(TypedDict):
    url: NotRequired[str]
    events: NotRequired[list[Literal["message.received", "message.sent", "message.delivered", "message.read", "message.failed", "template.status", "number.quality", "job.finished", "job.paused", "scheduled.refused", "account.balance_low", "account.paused"]]]
    description: NotRequired[str | None]
    verifyToken: NotRequired[str]
    state: NotRequired[Literal["active", "disabled"]]


UpdateWebhookAnswer: TypeAlias = "Webhook"


class DeleteWebhookAnswer(TypedDict):
    success: Literal[True]


RotateWebhookAnswer: TypeAlias = "WebhookSecret"


class TestWebhookAnswer(TypedDict):
    success: Literal[True]


class ReplayWebhookBody(TypedDict):
    since: str


class ReplayWebhookAnswer(TypedDict):
    success: Literal[True]
    replayId: str


class ListWebhookDeliveriesAnswer(TypedDict):
    deliveries: list[WebhookDelivery]
    nextCursor: str | None


GetWebhookDeliveryAnswer: TypeAlias = "WebhookDeliveryWithBody"


class ResendWebhookDeliveryAnswer(TypedDict):
    success: Literal[True]


class InviteColleagueBody(TypedDict):
    name: str
    email: str
    role: Literal["owner", "manager", "developer", "agent", "viewer"]
    accounts: NotRequired[list[str] | None]


class InviteColleagueAnswer(TypedDict):
    id: str
    name: str | None
    email: str | None
    role: Literal["owner", "manager", "developer", "agent", "viewer", "admin", "support", "auditor"]
    organisationId: str | None
    accounts: list[str] | None
    state: Literal["invited", "active", "suspended", "erased"]
    invitedUntil: str | None
    createdAt: str
    link: str
    linkExpiresAt: str


class ListColleaguesAnswer(TypedDict):
    people: list[Person]
    nextCursor: str | None


class GetColleagueAnswerSessionsItem(TypedDict):
    startedAt: str


class GetColleagueAnswer(TypedDict):
    id: str
    name: str | None
    email: str | None
    role: Literal["owner", "manager", "developer", "agent", "viewer", "admin", "support", "auditor"]
    organisationId: str | None
    accounts: list[str] | None
    state: Literal["invited", "active", "suspended", "erased"]
    invitedUntil: str | None
    createdAt: str
    sessions: list[GetColleagueAnswerSessionsItem]


class UpdateColleagueBody(TypedDict):
    name: NotRequired[str]
    role: NotRequired[Literal["owner", "manager", "developer", "agent", "viewer"]]
    accounts: NotRequired[list[str] | None]


UpdateColleagueAnswer: TypeAlias = "Person"


class InviteColleagueAgainAnswer(TypedDict):
    link: str
    linkExpiresAt: str


class EndColleagueSessionsAnswer(TypedDict):
    success: Literal[True]


SuspendColleagueAnswer: TypeAlias = "Person"


ReinstateColleagueAnswer: TypeAlias = "Person"


class ListKeysAnswer(TypedDict):
    keys: list[Key]
    nextCursor: str | None


class CreateKeyBody(TypedDict):
    name: str
    allowedOrigins: NotRequired[list[str]]
    expiresAt: NotRequired[str]
    scopes: NotRequired[list[Literal["notifications:send", "messages:send", "messages:read", "conversations:write", "media:read", "media:write", "templates:read", "templates:write", "phones:read", "phones:write", "bots:read", "bots:write", "credits:read", "account:write", "webhooks:read", "webhooks:write", "gateway"]]]
    opaqueIsIdempotent: NotRequired[bool]


class CreateKeyAnswer(TypedDict):
    id: str
    accountId: str
    name: str
    prefix: str
    state: Literal["active", "inactive", "revoked", "expired"]
    allowedOrigins: list[str] | None
    rateLimit: int
    expiresAt: str | None
    scopes: list[str] | None
    opaqueIsIdempotent: bool
    createdAt: str
    lastUsedAt: str | None
    key: str


DeactivateOwnKeyAnswer: TypeAlias = "Key"


ActivateOwnKeyAnswer: TypeAlias = "Key"


RevokeOwnKeyAnswer: TypeAlias = "Key"


GetStatementAnswer: TypeAlias = "Statement"


CreateConsoleLinkAnswer: TypeAlias = "ConsoleLink"


class FindAnswer(TypedDict):
    results: list[FindResult]


class SentSendNotificationAnswer(SendNotificationAnswer, Sent):
    #: Where it is to go out later: then there is no message yet.
    scheduled: NotRequired[Later]


class SentSendNotificationBatchAnswer(SendNotificationBatchAnswer, Sent):
    pass


class SentSendMessageAnswer(SendMessageAnswer, Sent):
    #: Where it is to go out later: then there is no message yet.
    scheduled: NotRequired[Later]


NotificationFieldsDeliverBetween = TypedDict(
    "NotificationFieldsDeliverBetween",
    {
        "from": "str",
        "until": "str",
        "days": "NotRequired[list[int]]",
        "timeZone": "NotRequired[str]",
    },
)


class NotificationFields(TypedDict):
    to: str
    phoneNumberId: NotRequired[str]
    languageCode: NotRequired[str]
    allowTextFallback: NotRequired[bool]
    clientReference: NotRequired[str]
    strict: NotRequired[bool]
    sendAt: NotRequired[str]
    deliverBetween: NotRequired[NotificationFieldsDeliverBetween]
    notAfter: NotRequired[str]
    ignoreQuietHours: NotRequired[bool]
    quoteId: NotRequired[str]


BatchFieldsDeliverBetween = TypedDict(
    "BatchFieldsDeliverBetween",
    {
        "from": "str",
        "until": "str",
        "days": "NotRequired[list[int]]",
        "timeZone": "NotRequired[str]",
    },
)


class BatchFields(TypedDict):
    phoneNumberId: NotRequired[str]
    languageCode: NotRequired[str]
    strict: NotRequired[bool]
    sendAt: NotRequired[str]
    deliverBetween: NotRequired[BatchFieldsDeliverBetween]
    notAfter: NotRequired[str]
    ignoreQuietHours: NotRequired[bool]
    quoteId: NotRequired[str]


class RecipientFields(TypedDict):
    to: str
    clientReference: NotRequired[str]


class OtpVerificationVariables(TypedDict):
    """OTP verification. Sent when a customer signs in or confirms a number with a one-time code."""

    #: The one-time code, 15 characters at most. Also what the copy-code button copies.
    otp: VariableValue


class OtpVerificationNotification(NotificationFields):
    event: Literal["otp_verification"]
    variables: OtpVerificationVariables


class OtpVerificationRecipient(RecipientFields):
    variables: OtpVerificationVariables


class OtpVerificationBatch(BatchFields):
    event: Literal["otp_verification"]
    recipients: list[OtpVerificationRecipient]


class PasswordResetVariables(TypedDict):
    """Password reset. Sent when a customer asks to reset a password and must prove who they are."""

    #: The one-time code, 15 characters at most. Also what the copy-code button copies.
    otp: VariableValue


class PasswordResetNotification(NotificationFields):
    event: Literal["password_reset"]
    variables: PasswordResetVariables


class PasswordResetRecipient(RecipientFields):
    variables: PasswordResetVariables


class PasswordResetBatch(BatchFields):
    event: Literal["password_reset"]
    recipients: list[PasswordResetRecipient]


class OrderVerificationVariables(TypedDict):
    """Order verification. Sent when a customer must confirm an order with a one-time code before it is processed."""

    #: The one-time code, 15 characters at most. Also what the copy-code button copies.
    otp: VariableValue


class OrderVerificationNotification(NotificationFields):
    event: Literal["order_verification"]
    variables: OrderVerificationVariables


class OrderVerificationRecipient(RecipientFields):
    variables: OrderVerificationVariables


class OrderVerificationBatch(BatchFields):
    event: Literal["order_verification"]
    recipients: list[OrderVerificationRecipient]


class OrderConfirmationVariables(TypedDict):
    """Order confirmation. Sent when an order has been placed and accepted."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The order number as the customer knows it.
    orderId: VariableValue
    #: The total of the order, formatted and with its currency.
    orderTotal: VariableValue
    #: A link to the page that shows where the order is.
    trackingLink: VariableValue


class OrderConfirmationNotification(NotificationFields):
    event: Literal["order_confirmation"]
    variables: OrderConfirmationVariables


class OrderConfirmationRecipient(RecipientFields):
    variables: OrderConfirmationVariables


class OrderConfirmationBatch(BatchFields):
    event: Literal["order_confirmation"]
    recipients: list[OrderConfirmationRecipient]


class OrderStatusVariables(TypedDict):
    """Order status update. Sent when the status of an order changes and no other event says so."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The order number as the customer knows it.
    orderId: VariableValue
    #: The new status of the order, in words.
    orderStatus: VariableValue
    #: A link to the page that shows where the order is.
    trackingLink: VariableValue


class OrderStatusNotification(NotificationFields):
    event: Literal["order_status"]
    variables: OrderStatusVariables


class OrderStatusRecipient(RecipientFields):
    variables: OrderStatusVariables


class OrderStatusBatch(BatchFields):
    event: Literal["order_status"]
    recipients: list[OrderStatusRecipient]


class OrderCancelledVariables(TypedDict):
    """Order cancelled. Sent when an order has been cancelled, by the customer or by the shop."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The order number as the customer knows it.
    orderId: VariableValue
    #: Why the order was cancelled.
    cancelReason: VariableValue


class OrderCancelledNotification(NotificationFields):
    event: Literal["order_cancelled"]
    variables: OrderCancelledVariables


class OrderCancelledRecipient(RecipientFields):
    variables: OrderCancelledVariables


class OrderCancelledBatch(BatchFields):
    event: Literal["order_cancelled"]
    recipients: list[OrderCancelledRecipient]


class OrderShippedVariables(TypedDict):
    """Order shipped. Sent when an order has been handed to the carrier."""

    #: The order number as the customer knows it.
    orderId: VariableValue
    #: The tracking number of the carrier.
    awbCode: VariableValue
    #: A link to the page that shows where the order is.
    trackingLink: VariableValue


class OrderShippedNotification(NotificationFields):
    event: Literal["order_shipped"]
    variables: OrderShippedVariables


class OrderShippedRecipient(RecipientFields):
    variables: OrderShippedVariables


class OrderShippedBatch(BatchFields):
    event: Literal["order_shipped"]
    recipients: list[OrderShippedRecipient]


class OutForDeliveryVariables(TypedDict):
    """Out for delivery. Sent when the carrier is on the way to the customer."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The order number as the customer knows it.
    orderId: VariableValue
    #: A link to the page that shows where the order is.
    trackingLink: VariableValue


class OutForDeliveryNotification(NotificationFields):
    event: Literal["out_for_delivery"]
    variables: OutForDeliveryVariables


class OutForDeliveryRecipient(RecipientFields):
    variables: OutForDeliveryVariables


class OutForDeliveryBatch(BatchFields):
    event: Literal["out_for_delivery"]
    recipients: list[OutForDeliveryRecipient]


class OrderDeliveredVariables(TypedDict):
    """Order delivered. Sent when the carrier reports that an order was delivered."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The order number as the customer knows it.
    orderId: VariableValue


class OrderDeliveredNotification(NotificationFields):
    event: Literal["order_delivered"]
    variables: OrderDeliveredVariables


class OrderDeliveredRecipient(RecipientFields):
    variables: OrderDeliveredVariables


class OrderDeliveredBatch(BatchFields):
    event: Literal["order_delivered"]
    recipients: list[OrderDeliveredRecipient]


class DeliveryFailedVariables(TypedDict):
    """Delivery failed. Sent when an order could not be delivered and a new time must be chosen."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The order number as the customer knows it.
    orderId: VariableValue
    #: Why the delivery failed.
    failureReason: VariableValue
    #: A link to the page that shows where the order is.
    trackingLink: VariableValue


class DeliveryFailedNotification(NotificationFields):
    event: Literal["delivery_failed"]
    variables: DeliveryFailedVariables


class DeliveryFailedRecipient(RecipientFields):
    variables: DeliveryFailedVariables


class DeliveryFailedBatch(BatchFields):
    event: Literal["delivery_failed"]
    recipients: list[DeliveryFailedRecipient]


class PaymentReceivedVariables(TypedDict):
    """Payment received. Sent when a payment for an order has arrived."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The amount, formatted and with its currency.
    amount: VariableValue
    #: The order number as the customer knows it.
    orderId: VariableValue


class PaymentReceivedNotification(NotificationFields):
    event: Literal["payment_received"]
    variables: PaymentReceivedVariables


class PaymentReceivedRecipient(RecipientFields):
    variables: PaymentReceivedVariables


class PaymentReceivedBatch(BatchFields):
    event: Literal["payment_received"]
    recipients: list[PaymentReceivedRecipient]


class PaymentFailedVariables(TypedDict):
    """Payment failed. Sent when a payment did not go through and can be tried again."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The amount, formatted and with its currency.
    amount: VariableValue
    #: The order number as the customer knows it.
    orderId: VariableValue
    #: A link to the page on which the customer can pay.
    paymentLink: VariableValue


class PaymentFailedNotification(NotificationFields):
    event: Literal["payment_failed"]
    variables: PaymentFailedVariables


class PaymentFailedRecipient(RecipientFields):
    variables: PaymentFailedVariables


class PaymentFailedBatch(BatchFields):
    event: Literal["payment_failed"]
    recipients: list[PaymentFailedRecipient]


class ReturnRequestedVariables(TypedDict):
    """Return requested. Sent when the request to return an order has been received."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The order number as the customer knows it.
    orderId: VariableValue
    #: The return number as the customer knows it.
    returnId: VariableValue


class ReturnRequestedNotification(NotificationFields):
    event: Literal["return_requested"]
    variables: ReturnRequestedVariables


class ReturnRequestedRecipient(RecipientFields):
    variables: ReturnRequestedVariables


class ReturnRequestedBatch(BatchFields):
    event: Literal["return_requested"]
    recipients: list[ReturnRequestedRecipient]


class ReturnPickupScheduledVariables(TypedDict):
    """Return pickup scheduled. Sent when the day on which a return is collected has been set."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The return number as the customer knows it.
    returnId: VariableValue
    #: The day of the pickup, in words.
    pickupDate: VariableValue


class ReturnPickupScheduledNotification(NotificationFields):
    event: Literal["return_pickup_scheduled"]
    variables: ReturnPickupScheduledVariables


class ReturnPickupScheduledRecipient(RecipientFields):
    variables: ReturnPickupScheduledVariables


class ReturnPickupScheduledBatch(BatchFields):
    event: Literal["return_pickup_scheduled"]
    recipients: list[ReturnPickupScheduledRecipient]


class RefundProcessedVariables(TypedDict):
    """Refund processed. Sent when a refund has been issued."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The amount refunded, formatted and with its currency.
    refundAmount: VariableValue
    #: The order number as the customer knows it.
    orderId: VariableValue


class RefundProcessedNotification(NotificationFields):
    event: Literal["refund_processed"]
    variables: RefundProcessedVariables


class RefundProcessedRecipient(RecipientFields):
    variables: RefundProcessedVariables


class RefundProcessedBatch(BatchFields):
    event: Literal["refund_processed"]
    recipients: list[RefundProcessedRecipient]


class CartRecoveryVariables(TypedDict):
    """Cart recovery. Sent when a customer has left a cart without paying. Check for an opt-out first."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The name of the product.
    productName: VariableValue
    #: A link to the cart that the customer left.
    cartLink: VariableValue


class CartRecoveryNotification(NotificationFields):
    event: Literal["cart_recovery"]
    variables: CartRecoveryVariables


class CartRecoveryRecipient(RecipientFields):
    variables: CartRecoveryVariables


class CartRecoveryBatch(BatchFields):
    event: Literal["cart_recovery"]
    recipients: list[CartRecoveryRecipient]


class ReviewRequestVariables(TypedDict):
    """Review request. Sent some days after a delivery, to ask for a review. Check for an opt-out first."""

    #: The name by which the customer is greeted.
    customerName: VariableValue
    #: The name of the product.
    productName: VariableValue
    #: A link to the page on which the customer can write a review.
    reviewLink: VariableValue


class ReviewRequestNotification(NotificationFields):
    event: Literal["review_request"]
    variables: ReviewRequestVariables


class ReviewRequestRecipient(RecipientFields):
    variables: ReviewRequestVariables


class ReviewRequestBatch(BatchFields):
    event: Literal["review_request"]
    recipients: list[ReviewRequestRecipient]


class BackInStockVariables(TypedDict):
    """Back in stock. Sent when a product that a customer waits for can be bought again. Check for an opt-out first."""

    #: The name of the product.
    productName: VariableValue
    #: A link to the product.
    productLink: VariableValue


class BackInStockNotification(NotificationFields):
    event: Literal["back_in_stock"]
    variables: BackInStockVariables


class BackInStockRecipient(RecipientFields):
    variables: BackInStockVariables


class BackInStockBatch(BatchFields):
    event: Literal["back_in_stock"]
    recipients: list[BackInStockRecipient]


#: The name of an event of the catalog.
EventName: TypeAlias = Literal[
    "otp_verification",
    "password_reset",
    "order_verification",
    "order_confirmation",
    "order_status",
    "order_cancelled",
    "order_shipped",
    "out_for_delivery",
    "order_delivered",
    "delivery_failed",
    "payment_received",
    "payment_failed",
    "return_requested",
    "return_pickup_scheduled",
    "refund_processed",
    "cart_recovery",
    "review_request",
    "back_in_stock",
]

#: An event of the catalog with its variables.
Notification: TypeAlias = (
    OtpVerificationNotification
    | PasswordResetNotification
    | OrderVerificationNotification
    | OrderConfirmationNotification
    | OrderStatusNotification
    | OrderCancelledNotification
    | OrderShippedNotification
    | OutForDeliveryNotification
    | OrderDeliveredNotification
    | DeliveryFailedNotification
    | PaymentReceivedNotification
    | PaymentFailedNotification
    | ReturnRequestedNotification
    | ReturnPickupScheduledNotification
    | RefundProcessedNotification
    | CartRecoveryNotification
    | ReviewRequestNotification
    | BackInStockNotification
)

#: One event to 1 to 500 recipients.
NotificationBatch: TypeAlias = (
    OtpVerificationBatch
    | PasswordResetBatch
    | OrderVerificationBatch
    | OrderConfirmationBatch
    | OrderStatusBatch
    | OrderCancelledBatch
    | OrderShippedBatch
    | OutForDeliveryBatch
    | OrderDeliveredBatch
    | DeliveryFailedBatch
    | PaymentReceivedBatch
    | PaymentFailedBatch
    | ReturnRequestedBatch
    | ReturnPickupScheduledBatch
    | RefundProcessedBatch
    | CartRecoveryBatch
    | ReviewRequestBatch
    | BackInStockBatch
)


class Operations(Calls):
    """The operations of the service."""

    def get_catalog(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetCatalogAnswer:
        """List the 18 events and their variables."""
        return self._ask(Call("GET", "/v1/notifications/catalog"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_readiness(
        self,
        *,
        phone_number_id: str | None = None,
        refresh: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetReadinessAnswer:
        """Show which events can be sent from a number."""
        return self._ask(Call("GET", "/v1/notifications/events", query={"phoneNumberId": phone_number_id, "refresh": refresh}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def submit_catalog(
        self,
        body: SubmitCatalogBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SubmitCatalogAnswer:
        """Submit the catalog, or some of its events, for approval."""
        return self._ask(Call("POST", "/v1/notifications/templates/submit", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def send_notification(
        self,
        body: Notification,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SentSendNotificationAnswer:
        """Send one notification by event key."""
        return self._send(Call("POST", "/v1/notifications/send", json=body, is_send=True), {"timeout_seconds": timeout_seconds, "max_retries": max_retries, "idempotency_key": idempotency_key})

    def send_notification_batch(
        self,
        body: NotificationBatch,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SentSendNotificationBatchAnswer:
        """Send one event to up to 500 recipients."""
        return self._send(Call("POST", "/v1/notifications/send/batch", json=body, is_send=True, timeout_seconds=BATCH_SECONDS), {"timeout_seconds": timeout_seconds, "max_retries": max_retries, "idempotency_key": idempotency_key})

    def send_message(
        self,
        body: SendMessageBody,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SentSendMessageAnswer:
        """Send a message that you built: text, template, media, location, interactive, contacts or reaction."""
        return self._send(Call("POST", "/v1/messages/send", json=body, is_send=True), {"timeout_seconds": timeout_seconds, "max_retries": max_retries, "idempotency_key": idempotency_key})

    def get_message_status(
        self,
        message_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetMessageStatusAnswer:
        """Read the delivery status of a message."""
        return self._ask(Call("GET", f"/v1/notifications/status/{_part(message_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_messages(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        phone_number_id: str | None = None,
        direction: Literal["inbound", "outbound"] | None = None,
        contact: str | None = None,
        conversation_id: str | None = None,
        status: Literal["sent", "failed", "delivered", "read"] | None = None,
        message_type: str | None = None,
        event: Literal["otp_verification", "password_reset", "order_verification", "order_confirmation", "order_status", "order_cancelled", "order_shipped", "out_for_delivery", "order_delivered", "delivery_failed", "payment_received", "payment_failed", "return_requested", "return_pickup_scheduled", "refund_processed", "cart_recovery", "review_request", "back_in_stock"] | None = None,
        client_reference: str | None = None,
        since: str | None = None,
        until: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListMessagesAnswer, Message]:
        """List messages with their delivery status, newest first."""
        return self._list(Call("GET", "/v1/messages", query={"limit": limit, "cursor": cursor, "phoneNumberId": phone_number_id, "direction": direction, "contact": contact, "conversationId": conversation_id, "status": status, "messageType": message_type, "event": event, "clientReference": client_reference, "since": since, "until": until}), "messages", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_message_timeline(
        self,
        message_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetMessageTimelineAnswer:
        """Read every event of one message, in order."""
        return self._ask(Call("GET", f"/v1/messages/{_part(message_id)}/timeline"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def explain_message(
        self,
        message_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ExplainMessageAnswer:
        """Explain a message: every rule that led to its outcome and price."""
        return self._ask(Call("GET", f"/v1/messages/{_part(message_id)}/explain"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def read_message(
        self,
        message_id: str,
        body: ReadMessageBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ReadMessageAnswer:
        """Show a customer that you read the customer's message."""
        return self._ask(Call("POST", f"/v1/messages/{_part(message_id)}/read", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_send_refusals(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        since: str | None = None,
        until: str | None = None,
        code: str | None = None,
        contact: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListSendRefusalsAnswer, SendRefusals]:
        """Count the sends that were refused before a charge, newest first."""
        return self._list(Call("GET", "/v1/sends/refusals", query={"limit": limit, "cursor": cursor, "since": since, "until": until, "code": code, "contact": contact}), "refusals", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_sends(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        contact: str | None = None,
        event: Literal["otp_verification", "password_reset", "order_verification", "order_confirmation", "order_status", "order_cancelled", "order_shipped", "out_for_delivery", "order_delivered", "delivery_failed", "payment_received", "payment_failed", "return_requested", "return_pickup_scheduled", "refund_processed", "cart_recovery", "review_request", "back_in_stock"] | None = None,
        state: Literal["pending", "accepted", "refused", "unreachable", "unknown", "not_sent", "disconnected", "swept"] | None = None,
        client_reference: str | None = None,
        request_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListSendsAnswer, Send]:
        """List attempts to send and what became of each, newest first."""
        return self._list(Call("GET", "/v1/sends", query={"limit": limit, "cursor": cursor, "contact": contact, "event": event, "state": state, "clientReference": client_reference, "requestId": request_id, "since": since, "until": until}), "sends", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_scheduled(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: Literal["waiting", "sending", "sent", "refused", "expired", "cancelled", "erased"] | None = None,
        contact: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListScheduledAnswer, ScheduledSend]:
        """List scheduled sends, newest first."""
        return self._list(Call("GET", "/v1/scheduled", query={"limit": limit, "cursor": cursor, "state": state, "contact": contact}), "scheduled", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_scheduled(
        self,
        schedule_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetScheduledAnswer:
        """Read one scheduled send."""
        return self._ask(Call("GET", f"/v1/scheduled/{_part(schedule_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def update_scheduled(
        self,
        schedule_id: str,
        body: UpdateScheduledBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdateScheduledAnswer:
        """Change time or content of a send that waits."""
        return self._ask(Call("PATCH", f"/v1/scheduled/{_part(schedule_id)}", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def cancel_scheduled(
        self,
        schedule_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CancelScheduledAnswer:
        """Cancel a send that waits."""
        return self._ask(Call("DELETE", f"/v1/scheduled/{_part(schedule_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def send_scheduled_now(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SendScheduledNowAnswer:
        """Send what waits now, or after the quiet hours."""
        return self._ask(Call("POST", f"/v1/scheduled/{_part(schedule_id)}/send-now", is_keyed=True), {"timeout_seconds": timeout_seconds, "max_retries": max_retries, "idempotency_key": idempotency_key})

    def create_job(
        self,
        body: CreateJobBody,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateJobAnswer:
        """Make a job: one event for the rows of a file."""
        return self._ask(Call("POST", "/v1/jobs", json=body, is_keyed=True), {"timeout_seconds": timeout_seconds, "max_retries": max_retries, "idempotency_key": idempotency_key})

    def list_jobs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListJobsAnswer, Job]:
        """List the jobs, newest first."""
        return self._list(Call("GET", "/v1/jobs", query={"limit": limit, "cursor": cursor}), "jobs", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_job(
        self,
        job_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetJobAnswer:
        """Read a job: its state, plan and counts."""
        return self._ask(Call("GET", f"/v1/jobs/{_part(job_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def start_job(
        self,
        job_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> StartJobAnswer:
        """Start a job."""
        return self._ask(Call("POST", f"/v1/jobs/{_part(job_id)}/start"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def pause_job(
        self,
        job_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> PauseJobAnswer:
        """Pause a job."""
        return self._ask(Call("POST", f"/v1/jobs/{_part(job_id)}/pause"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def resume_job(
        self,
        job_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ResumeJobAnswer:
        """Go on with a paused job."""
        return self._ask(Call("POST", f"/v1/jobs/{_part(job_id)}/resume"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def cancel_job(
        self,
        job_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CancelJobAnswer:
        """Cancel a job."""
        return self._ask(Call("POST", f"/v1/jobs/{_part(job_id)}/cancel"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_job_rows(
        self,
        job_id: str,
        *,
        state: Literal["waiting", "sending", "sent", "delivered", "read", "failed", "refused", "bad", "duplicate"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListJobRowsAnswer, ListJobRowsAnswerRowsItem]:
        """List the rows of a job."""
        return self._list(Call("GET", f"/v1/jobs/{_part(job_id)}/rows", query={"state": state, "limit": limit, "cursor": cursor}), "rows", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_job_result(
        self,
        job_id: str,
        *,
        format: Literal["csv", "jsonl"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> File:
        """Download what became of the rows."""
        return self._file(Call("GET", f"/v1/jobs/{_part(job_id)}/result", query={"format": format}, is_file=True, timeout_seconds=FILE_SECONDS), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def retry_job(
        self,
        job_id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> RetryJobAnswer:
        """Make a job of the rows that failed or were refused."""
        return self._ask(Call("POST", f"/v1/jobs/{_part(job_id)}/retry", is_keyed=True), {"timeout_seconds": timeout_seconds, "max_retries": max_retries, "idempotency_key": idempotency_key})

    def get_media(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> File:
        """Download a file that a customer sent or that you uploaded."""
        return self._file(Call("GET", f"/v1/media/{_part(id)}", is_file=True, timeout_seconds=FILE_SECONDS), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_own_account(
        self,
        *,
        as_of: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetOwnAccountAnswer:
        """Read the name, the unit and the caps of the account."""
        return self._ask(Call("GET", "/v1/account", query={"asOf": as_of}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def update_own_account(
        self,
        body: UpdateOwnAccountBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdateOwnAccountAnswer:
        """Set the balance below which the account is warned."""
        return self._ask(Call("PATCH", "/v1/account", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_overview(
        self,
        *,
        hours: int | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetOverviewAnswer:
        """Show sends, failures, refunds and spend of the last hours."""
        return self._ask(Call("GET", "/v1/overview", query={"hours": hours}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_conversations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        phone_number_id: str | None = None,
        window_open: Literal["true", "false"] | None = None,
        search: str | None = None,
        assigned: str | None = None,
        label: str | None = None,
        waiting: Literal["true", "false"] | None = None,
        failed: Literal["true", "false"] | None = None,
        with_bot: Literal["true", "false"] | None = None,
        updated_since: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListConversationsAnswer, Conversation]:
        """List conversations, most recently active first."""
        return self._list(Call("GET", "/v1/conversations", query={"limit": limit, "cursor": cursor, "phoneNumberId": phone_number_id, "windowOpen": window_open, "search": search, "assigned": assigned, "label": label, "waiting": waiting, "failed": failed, "withBot": with_bot, "updatedSince": updated_since}), "conversations", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_conversation(
        self,
        conversation_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetConversationAnswer:
        """Show a conversation."""
        return self._ask(Call("GET", f"/v1/conversations/{_part(conversation_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def take_conversation(
        self,
        conversation_id: str,
        body: TakeConversationBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> TakeConversationAnswer:
        """Take a conversation from the bots."""
        return self._ask(Call("POST", f"/v1/conversations/{_part(conversation_id)}/handoff", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def give_conversation_back(
        self,
        conversation_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GiveConversationBackAnswer:
        """Give a conversation back to the bots."""
        return self._ask(Call("DELETE", f"/v1/conversations/{_part(conversation_id)}/handoff"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_assignees(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListAssigneesAnswer, Assignee]:
        """List the people to whom a conversation can be given."""
        return self._list(Call("GET", "/v1/assignees", query={"limit": limit, "cursor": cursor}), "assignees", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def assign_conversation(
        self,
        conversation_id: str,
        body: AssignConversationBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AssignConversationAnswer:
        """Give a conversation to a person, or to nobody."""
        return self._ask(Call("POST", f"/v1/conversations/{_part(conversation_id)}/assign", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def label_conversation(
        self,
        conversation_id: str,
        body: LabelConversationBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> LabelConversationAnswer:
        """Set the labels of a conversation."""
        return self._ask(Call("POST", f"/v1/conversations/{_part(conversation_id)}/labels", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def create_conversation_note(
        self,
        conversation_id: str,
        body: CreateConversationNoteBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateConversationNoteAnswer:
        """Note something of a conversation."""
        return self._ask(Call("POST", f"/v1/conversations/{_part(conversation_id)}/notes", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_conversation_notes(
        self,
        conversation_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListConversationNotesAnswer, Note]:
        """List the notes of a conversation, newest first."""
        return self._list(Call("GET", f"/v1/conversations/{_part(conversation_id)}/notes", query={"limit": limit, "cursor": cursor}), "notes", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_quick_replies(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListQuickRepliesAnswer, QuickReply]:
        """List the quick replies of the account, newest first."""
        return self._list(Call("GET", "/v1/quick-replies", query={"limit": limit, "cursor": cursor}), "quickReplies", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def create_quick_reply(
        self,
        body: CreateQuickReplyBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateQuickReplyAnswer:
        """Add a quick reply."""
        return self._ask(Call("POST", "/v1/quick-replies", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def update_quick_reply(
        self,
        reply_id: str,
        body: UpdateQuickReplyBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdateQuickReplyAnswer:
        """Change a quick reply: only the fields that are sent."""
        return self._ask(Call("PATCH", f"/v1/quick-replies/{_part(reply_id)}", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def delete_quick_reply(
        self,
        reply_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> DeleteQuickReplyAnswer:
        """Remove a quick reply."""
        return self._ask(Call("DELETE", f"/v1/quick-replies/{_part(reply_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_phones(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ListPhonesAnswer:
        """List the numbers of the account."""
        return self._ask(Call("GET", "/v1/phones"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def update_phone_webhook(
        self,
        phone_number_id: str,
        body: UpdatePhoneWebhookBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdatePhoneWebhookAnswer:
        """Set or clear the URL to which inbound messages of a number are forwarded."""
        return self._ask(Call("PATCH", f"/v1/phones/{_part(phone_number_id)}/webhook", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_bots(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ListBotsAnswer:
        """List the bots of the account, newest first."""
        return self._ask(Call("GET", "/v1/bots"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def create_bot(
        self,
        body: CreateBotBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateBotAnswer:
        """Create a bot."""
        return self._ask(Call("POST", "/v1/bots", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_bot(
        self,
        bot_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetBotAnswer:
        """Read one bot with its graph."""
        return self._ask(Call("GET", f"/v1/bots/{_part(bot_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def update_bot(
        self,
        bot_id: str,
        body: UpdateBotBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdateBotAnswer:
        """Change a bot: only the fields that are sent."""
        return self._ask(Call("PATCH", f"/v1/bots/{_part(bot_id)}", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def delete_bot(
        self,
        bot_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> DeleteBotAnswer:
        """Delete a bot for good."""
        return self._ask(Call("DELETE", f"/v1/bots/{_part(bot_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_bot_draft(
        self,
        bot_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetBotDraftAnswer:
        """Read the draft of a bot."""
        return self._ask(Call("GET", f"/v1/bots/{_part(bot_id)}/draft"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def set_bot_draft(
        self,
        bot_id: str,
        body: SetBotDraftBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SetBotDraftAnswer:
        """Keep a graph as the draft of a bot."""
        return self._ask(Call("PUT", f"/v1/bots/{_part(bot_id)}/draft", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def delete_bot_draft(
        self,
        bot_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> DeleteBotDraftAnswer:
        """Throw the draft of a bot away."""
        return self._ask(Call("DELETE", f"/v1/bots/{_part(bot_id)}/draft"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def publish_bot(
        self,
        bot_id: str,
        body: PublishBotBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> PublishBotAnswer:
        """Make the draft of a bot live, or an earlier version of it."""
        return self._ask(Call("POST", f"/v1/bots/{_part(bot_id)}/publish", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def validate_bot(
        self,
        bot_id: str,
        body: ValidateBotBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ValidateBotAnswer:
        """Find the problems of the stored graph, or of the graph in the request."""
        return self._ask(Call("POST", f"/v1/bots/{_part(bot_id)}/validate", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def simulate_bot(
        self,
        bot_id: str,
        body: SimulateBotBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SimulateBotAnswer:
        """Simulate a bot, without sends, calls and charges."""
        return self._ask(Call("POST", f"/v1/bots/{_part(bot_id)}/simulate", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_bot_runs(
        self,
        bot_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListBotRunsAnswer, Run]:
        """List the runs of a bot, newest first."""
        return self._list(Call("GET", f"/v1/bots/{_part(bot_id)}/runs", query={"limit": limit, "cursor": cursor}), "runs", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_bot_run(
        self,
        bot_id: str,
        run_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetBotRunAnswer:
        """Read one run, node by node."""
        return self._ask(Call("GET", f"/v1/bots/{_part(bot_id)}/runs/{_part(run_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_bot_versions(
        self,
        bot_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListBotVersionsAnswer, BotVersion]:
        """List what a bot was after each change, newest first."""
        return self._list(Call("GET", f"/v1/bots/{_part(bot_id)}/versions", query={"limit": limit, "cursor": cursor}), "versions", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_templates(
        self,
        *,
        phone_number_id: str,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ListTemplatesAnswer:
        """List the templates of a number, live; from the local mirror when out of reach."""
        return self._ask(Call("GET", "/v1/templates", query={"phoneNumberId": phone_number_id}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def create_template(
        self,
        body: CreateTemplateBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateTemplateAnswer:
        """Submit a template of your own for approval."""
        return self._ask(Call("POST", "/v1/templates", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_template(
        self,
        id: str,
        *,
        phone_number_id: str | None = None,
        as_of: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetTemplateAnswer:
        """Read one template with its components, live."""
        return self._ask(Call("GET", f"/v1/templates/{_part(id)}", query={"phoneNumberId": phone_number_id, "asOf": as_of}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_credits(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetCreditsAnswer:
        """Read the credit balance and its latest movements."""
        return self._ask(Call("GET", "/v1/credits"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def create_quote(
        self,
        body: CreateQuoteBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateQuoteAnswer:
        """Ask what a send would cost."""
        return self._ask(Call("POST", "/v1/quotes", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_charge(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetChargeAnswer:
        """Read a charge: its price, its message, and why it was given back."""
        return self._ask(Call("GET", f"/v1/charges/{_part(id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    @overload
    def get_credit_proof(
        self,
        *,
        charge_id: str,
        format: Literal["json"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetCreditProofAnswer: ...

    @overload
    def get_credit_proof(
        self,
        *,
        charge_id: str,
        format: Literal["tlog-proof"],
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> str: ...

    def get_credit_proof(
        self,
        *,
        charge_id: str,
        format: Literal["json", "tlog-proof"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetCreditProofAnswer | str:
        """Prove a charge: its place in the next seal of the ledger."""
        return self._ask(Call("GET", "/v1/credits/proof", query={"chargeId": charge_id, "format": format}, is_text=format not in (None, "json")), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_wallet(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetWalletAnswer:
        """Read the wallet balance and its latest movements."""
        return self._ask(Call("GET", "/v1/wallet"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_ledger(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        since: str | None = None,
        until: str | None = None,
        type: Literal["DEDUCT", "REFUND", "GRANT", "REVOKE"] | None = None,
        charge_id: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[GetLedgerAnswer, Entry]:
        """Read the movements of the balance, newest first, the whole history."""
        return self._list(Call("GET", "/v1/ledger", query={"limit": limit, "cursor": cursor, "since": since, "until": until, "type": type, "chargeId": charge_id}), "entries", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_webhooks(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ListWebhooksAnswer:
        """List the webhooks of the account, newest first."""
        return self._ask(Call("GET", "/v1/webhooks"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def create_webhook(
        self,
        body: CreateWebhookBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateWebhookAnswer:
        """Create a webhook."""
        return self._ask(Call("POST", "/v1/webhooks", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_webhook(
        self,
        webhook_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetWebhookAnswer:
        """Read one webhook."""
        return self._ask(Call("GET", f"/v1/webhooks/{_part(webhook_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def update_webhook(
        self,
        webhook_id: str,
        body: UpdateWebhookBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdateWebhookAnswer:
        """Change a webhook: only the fields that are sent."""
        return self._ask(Call("PATCH", f"/v1/webhooks/{_part(webhook_id)}", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def delete_webhook(
        self,
        webhook_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> DeleteWebhookAnswer:
        """Delete a webhook and what is known of its deliveries, for good."""
        return self._ask(Call("DELETE", f"/v1/webhooks/{_part(webhook_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def rotate_webhook(
        self,
        webhook_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> RotateWebhookAnswer:
        """Replace the secret of a webhook."""
        return self._ask(Call("POST", f"/v1/webhooks/{_part(webhook_id)}/rotate"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def test_webhook(
        self,
        webhook_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> TestWebhookAnswer:
        """Deliver an event `webhook.test` to a webhook."""
        return self._ask(Call("POST", f"/v1/webhooks/{_part(webhook_id)}/test"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def replay_webhook(
        self,
        webhook_id: str,
        body: ReplayWebhookBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ReplayWebhookAnswer:
        """Deliver all events since a time once more."""
        return self._ask(Call("POST", f"/v1/webhooks/{_part(webhook_id)}/replay", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_webhook_deliveries(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        since: str | None = None,
        state: Literal["waiting", "delivered", "failed"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListWebhookDeliveriesAnswer, WebhookDelivery]:
        """List the deliveries of a webhook, newest first."""
        return self._list(Call("GET", f"/v1/webhooks/{_part(webhook_id)}/deliveries", query={"limit": limit, "cursor": cursor, "since": since, "state": state}), "deliveries", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_webhook_delivery(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetWebhookDeliveryAnswer:
        """Read one delivery with its body and its calls."""
        return self._ask(Call("GET", f"/v1/webhooks/{_part(webhook_id)}/deliveries/{_part(delivery_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def resend_webhook_delivery(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ResendWebhookDeliveryAnswer:
        """Deliver the event of a delivery once more."""
        return self._ask(Call("POST", f"/v1/webhooks/{_part(webhook_id)}/deliveries/{_part(delivery_id)}/resend"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def invite_colleague(
        self,
        body: InviteColleagueBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> InviteColleagueAnswer:
        """Invite a person, with a link that works once."""
        return self._ask(Call("POST", "/v1/people", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_colleagues(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListColleaguesAnswer, Person]:
        """List the people of the organisation."""
        return self._list(Call("GET", "/v1/people", query={"limit": limit, "cursor": cursor}), "people", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_colleague(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetColleagueAnswer:
        """Read one person, with the sessions that are open."""
        return self._ask(Call("GET", f"/v1/people/{_part(id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def update_colleague(
        self,
        id: str,
        body: UpdateColleagueBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdateColleagueAnswer:
        """Change the name, the role or the accounts of a person."""
        return self._ask(Call("PATCH", f"/v1/people/{_part(id)}", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def invite_colleague_again(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> InviteColleagueAgainAnswer:
        """Make another invitation; earlier ones work no more."""
        return self._ask(Call("POST", f"/v1/people/{_part(id)}/invitation"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def end_colleague_sessions(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> EndColleagueSessionsAnswer:
        """End all sessions of a person."""
        return self._ask(Call("DELETE", f"/v1/people/{_part(id)}/sessions"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def suspend_colleague(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SuspendColleagueAnswer:
        """Suspend a person."""
        return self._ask(Call("POST", f"/v1/people/{_part(id)}/suspend"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def reinstate_colleague(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ReinstateColleagueAnswer:
        """Reinstate a suspended person."""
        return self._ask(Call("POST", f"/v1/people/{_part(id)}/reinstate"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_keys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> List[ListKeysAnswer, Key]:
        """List the keys of the account, without their secrets."""
        return self._list(Call("GET", "/v1/keys", query={"limit": limit, "cursor": cursor}), "keys", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def create_key(
        self,
        body: CreateKeyBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateKeyAnswer:
        """Create an API key; the key itself is shown only here."""
        return self._ask(Call("POST", "/v1/keys", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def deactivate_own_key(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> DeactivateOwnKeyAnswer:
        """Switch a key off for now."""
        return self._ask(Call("POST", f"/v1/keys/{_part(id)}/deactivate"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def activate_own_key(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ActivateOwnKeyAnswer:
        """Switch a key on again."""
        return self._ask(Call("POST", f"/v1/keys/{_part(id)}/activate"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def revoke_own_key(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> RevokeOwnKeyAnswer:
        """Revoke a key for good."""
        return self._ask(Call("POST", f"/v1/keys/{_part(id)}/revoke"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    @overload
    def get_statement(
        self,
        *,
        month: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        format: Literal["json"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetStatementAnswer: ...

    @overload
    def get_statement(
        self,
        *,
        month: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        format: Literal["text", "csv", "html"],
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> str: ...

    def get_statement(
        self,
        *,
        month: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        format: Literal["text", "csv", "html", "json"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetStatementAnswer | str:
        """Read the statement of a month, counted from the log."""
        return self._ask(Call("GET", "/v1/statement", query={"month": month, "from": from_, "to": to, "format": format}, is_text=format not in (None, "json")), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_statement_proof(
        self,
        *,
        month: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> File:
        """Download what proves a statement: its movements, and their seal."""
        return self._file(Call("GET", "/v1/statement/proof", query={"month": month, "from": from_, "to": to}, is_file=True, timeout_seconds=FILE_SECONDS), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def create_console_link(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateConsoleLinkAnswer:
        """Make a link that signs the holder of the credential in to the console, once."""
        return self._ask(Call("POST", "/v1/console-links"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def find(
        self,
        *,
        q: str,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> FindAnswer:
        """Find whatever an id, a number or a name stands for."""
        return self._ask(Call("GET", "/v1/find", query={"q": q}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})


class AsyncOperations(AsyncCalls):
    """The operations of the service, for asyncio."""

    async def get_catalog(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetCatalogAnswer:
        """List the 18 events and their variables."""
        return await self._ask(Call("GET", "/v1/notifications/catalog"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_readiness(
        self,
        *,
        phone_number_id: str | None = None,
        refresh: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetReadinessAnswer:
        """Show which events can be sent from a number."""
        return await self._ask(Call("GET", "/v1/notifications/events", query={"phoneNumberId": phone_number_id, "refresh": refresh}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def submit_catalog(
        self,
        body: SubmitCatalogBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SubmitCatalogAnswer:
        """Submit the catalog, or some of its events, for approval."""
        return await self._ask(Call("POST", "/v1/notifications/templates/submit", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def send_notification(
        self,
        body: Notification,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SentSendNotificationAnswer:
        """Send one notification by event key."""
        return await self._send(Call("POST", "/v1/notifications/send", json=body, is_send=True), {"timeout_seconds": timeout_seconds, "max_retries": max_retries, "idempotency_key": idempotency_key})

    async def send_notification_batch(
        self,
        body: NotificationBatch,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SentSendNotificationBatchAnswer:
        """Send one event to up to 500 recipients."""
        return await self._send(Call("POST", "/v1/notifications/send/batch", json=body, is_send=True, timeout_seconds=BATCH_SECONDS), {"timeout_seconds": timeout_seconds, "max_retries": max_retries, "idempotency_key": idempotency_key})

    async def send_message(
        self,
        body: SendMessageBody,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SentSendMessageAnswer:
        """Send a message that you built: text, template, media, location, interactive, contacts or reaction."""
        return await self._send(Call("POST", "/v1/messages/send", json=body, is_send=True), {"timeout_seconds": timeout_seconds, "max_retries": max_retries, "idempotency_key": idempotency_key})

    async def get_message_status(
        self,
        message_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetMessageStatusAnswer:
        """Read the delivery status of a message."""
        return await self._ask(Call("GET", f"/v1/notifications/status/{_part(message_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_messages(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        phone_number_id: str | None = None,
        direction: Literal["inbound", "outbound"] | None = None,
        contact: str | None = None,
        conversation_id: str | None = None,
        status: Literal["sent", "failed", "delivered", "read"] | None = None,
        message_type: str | None = None,
        event: Literal["otp_verification", "password_reset", "order_verification", "order_confirmation", "order_status", "order_cancelled", "order_shipped", "out_for_delivery", "order_delivered", "delivery_failed", "payment_received", "payment_failed", "return_requested", "return_pickup_scheduled", "refund_processed", "cart_recovery", "review_request", "back_in_stock"] | None = None,
        client_reference: str | None = None,
        since: str | None = None,
        until: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListMessagesAnswer, Message]:
        """List messages with their delivery status, newest first."""
        return self._list(Call("GET", "/v1/messages", query={"limit": limit, "cursor": cursor, "phoneNumberId": phone_number_id, "direction": direction, "contact": contact, "conversationId": conversation_id, "status": status, "messageType": message_type, "event": event, "clientReference": client_reference, "since": since, "until": until}), "messages", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_message_timeline(
        self,
        message_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetMessageTimelineAnswer:
        """Read every event of one message, in order."""
        return await self._ask(Call("GET", f"/v1/messages/{_part(message_id)}/timeline"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def explain_message(
        self,
        message_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ExplainMessageAnswer:
        """Explain a message: every rule that led to its outcome and price."""
        return await self._ask(Call("GET", f"/v1/messages/{_part(message_id)}/explain"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def read_message(
        self,
        message_id: str,
        body: ReadMessageBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ReadMessageAnswer:
        """Show a customer that you read the customer's message."""
        return await self._ask(Call("POST", f"/v1/messages/{_part(message_id)}/read", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_send_refusals(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        since: str | None = None,
        until: str | None = None,
        code: str | None = None,
        contact: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListSendRefusalsAnswer, SendRefusals]:
        """Count the sends that were refused before a charge, newest first."""
        return self._list(Call("GET", "/v1/sends/refusals", query={"limit": limit, "cursor": cursor, "since": since, "until": until, "code": code, "contact": contact}), "refusals", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_sends(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        contact: str | None = None,
        event: Literal["otp_verification", "password_reset", "order_verification", "order_confirmation", "order_status", "order_cancelled", "order_shipped", "out_for_delivery", "order_delivered", "delivery_failed", "payment_received", "payment_failed", "return_requested", "return_pickup_scheduled", "refund_processed", "cart_recovery", "review_request", "back_in_stock"] | None = None,
        state: Literal["pending", "accepted", "refused", "unreachable", "unknown", "not_sent", "disconnected", "swept"] | None = None,
        client_reference: str | None = None,
        request_id: str | None = None,
        since: str | None = None,
        until: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListSendsAnswer, Send]:
        """List attempts to send and what became of each, newest first."""
        return self._list(Call("GET", "/v1/sends", query={"limit": limit, "cursor": cursor, "contact": contact, "event": event, "state": state, "clientReference": client_reference, "requestId": request_id, "since": since, "until": until}), "sends", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_scheduled(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        state: Literal["waiting", "sending", "sent", "refused", "expired", "cancelled", "erased"] | None = None,
        contact: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListScheduledAnswer, ScheduledSend]:
        """List scheduled sends, newest first."""
        return self._list(Call("GET", "/v1/scheduled", query={"limit": limit, "cursor": cursor, "state": state, "contact": contact}), "scheduled", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_scheduled(
        self,
        schedule_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetScheduledAnswer:
        """Read one scheduled send."""
        return await self._ask(Call("GET", f"/v1/scheduled/{_part(schedule_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def update_scheduled(
        self,
        schedule_id: str,
        body: UpdateScheduledBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdateScheduledAnswer:
        """Change time or content of a send that waits."""
        return await self._ask(Call("PATCH", f"/v1/scheduled/{_part(schedule_id)}", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def cancel_scheduled(
        self,
        schedule_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CancelScheduledAnswer:
        """Cancel a send that waits."""
        return await self._ask(Call("DELETE", f"/v1/scheduled/{_part(schedule_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def send_scheduled_now(
        self,
        schedule_id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SendScheduledNowAnswer:
        """Send what waits now, or after the quiet hours."""
        return await self._ask(Call("POST", f"/v1/scheduled/{_part(schedule_id)}/send-now", is_keyed=True), {"timeout_seconds": timeout_seconds, "max_retries": max_retries, "idempotency_key": idempotency_key})

    async def create_job(
        self,
        body: CreateJobBody,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateJobAnswer:
        """Make a job: one event for the rows of a file."""
        return await self._ask(Call("POST", "/v1/jobs", json=body, is_keyed=True), {"timeout_seconds": timeout_seconds, "max_retries": max_retries, "idempotency_key": idempotency_key})

    def list_jobs(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListJobsAnswer, Job]:
        """List the jobs, newest first."""
        return self._list(Call("GET", "/v1/jobs", query={"limit": limit, "cursor": cursor}), "jobs", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_job(
        self,
        job_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetJobAnswer:
        """Read a job: its state, plan and counts."""
        return await self._ask(Call("GET", f"/v1/jobs/{_part(job_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def start_job(
        self,
        job_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> StartJobAnswer:
        """Start a job."""
        return await self._ask(Call("POST", f"/v1/jobs/{_part(job_id)}/start"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def pause_job(
        self,
        job_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> PauseJobAnswer:
        """Pause a job."""
        return await self._ask(Call("POST", f"/v1/jobs/{_part(job_id)}/pause"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def resume_job(
        self,
        job_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ResumeJobAnswer:
        """Go on with a paused job."""
        return await self._ask(Call("POST", f"/v1/jobs/{_part(job_id)}/resume"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def cancel_job(
        self,
        job_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CancelJobAnswer:
        """Cancel a job."""
        return await self._ask(Call("POST", f"/v1/jobs/{_part(job_id)}/cancel"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_job_rows(
        self,
        job_id: str,
        *,
        state: Literal["waiting", "sending", "sent", "delivered", "read", "failed", "refused", "bad", "duplicate"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListJobRowsAnswer, ListJobRowsAnswerRowsItem]:
        """List the rows of a job."""
        return self._list(Call("GET", f"/v1/jobs/{_part(job_id)}/rows", query={"state": state, "limit": limit, "cursor": cursor}), "rows", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_job_result(
        self,
        job_id: str,
        *,
        format: Literal["csv", "jsonl"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> File:
        """Download what became of the rows."""
        return await self._file(Call("GET", f"/v1/jobs/{_part(job_id)}/result", query={"format": format}, is_file=True, timeout_seconds=FILE_SECONDS), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def retry_job(
        self,
        job_id: str,
        *,
        idempotency_key: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> RetryJobAnswer:
        """Make a job of the rows that failed or were refused."""
        return await self._ask(Call("POST", f"/v1/jobs/{_part(job_id)}/retry", is_keyed=True), {"timeout_seconds": timeout_seconds, "max_retries": max_retries, "idempotency_key": idempotency_key})

    async def get_media(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> File:
        """Download a file that a customer sent or that you uploaded."""
        return await self._file(Call("GET", f"/v1/media/{_part(id)}", is_file=True, timeout_seconds=FILE_SECONDS), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_own_account(
        self,
        *,
        as_of: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetOwnAccountAnswer:
        """Read the name, the unit and the caps of the account."""
        return await self._ask(Call("GET", "/v1/account", query={"asOf": as_of}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def update_own_account(
        self,
        body: UpdateOwnAccountBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdateOwnAccountAnswer:
        """Set the balance below which the account is warned."""
        return await self._ask(Call("PATCH", "/v1/account", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_overview(
        self,
        *,
        hours: int | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetOverviewAnswer:
        """Show sends, failures, refunds and spend of the last hours."""
        return await self._ask(Call("GET", "/v1/overview", query={"hours": hours}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_conversations(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        phone_number_id: str | None = None,
        window_open: Literal["true", "false"] | None = None,
        search: str | None = None,
        assigned: str | None = None,
        label: str | None = None,
        waiting: Literal["true", "false"] | None = None,
        failed: Literal["true", "false"] | None = None,
        with_bot: Literal["true", "false"] | None = None,
        updated_since: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListConversationsAnswer, Conversation]:
        """List conversations, most recently active first."""
        return self._list(Call("GET", "/v1/conversations", query={"limit": limit, "cursor": cursor, "phoneNumberId": phone_number_id, "windowOpen": window_open, "search": search, "assigned": assigned, "label": label, "waiting": waiting, "failed": failed, "withBot": with_bot, "updatedSince": updated_since}), "conversations", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_conversation(
        self,
        conversation_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetConversationAnswer:
        """Show a conversation."""
        return await self._ask(Call("GET", f"/v1/conversations/{_part(conversation_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def take_conversation(
        self,
        conversation_id: str,
        body: TakeConversationBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> TakeConversationAnswer:
        """Take a conversation from the bots."""
        return await self._ask(Call("POST", f"/v1/conversations/{_part(conversation_id)}/handoff", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def give_conversation_back(
        self,
        conversation_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GiveConversationBackAnswer:
        """Give a conversation back to the bots."""
        return await self._ask(Call("DELETE", f"/v1/conversations/{_part(conversation_id)}/handoff"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_assignees(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListAssigneesAnswer, Assignee]:
        """List the people to whom a conversation can be given."""
        return self._list(Call("GET", "/v1/assignees", query={"limit": limit, "cursor": cursor}), "assignees", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def assign_conversation(
        self,
        conversation_id: str,
        body: AssignConversationBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AssignConversationAnswer:
        """Give a conversation to a person, or to nobody."""
        return await self._ask(Call("POST", f"/v1/conversations/{_part(conversation_id)}/assign", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def label_conversation(
        self,
        conversation_id: str,
        body: LabelConversationBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> LabelConversationAnswer:
        """Set the labels of a conversation."""
        return await self._ask(Call("POST", f"/v1/conversations/{_part(conversation_id)}/labels", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def create_conversation_note(
        self,
        conversation_id: str,
        body: CreateConversationNoteBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateConversationNoteAnswer:
        """Note something of a conversation."""
        return await self._ask(Call("POST", f"/v1/conversations/{_part(conversation_id)}/notes", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_conversation_notes(
        self,
        conversation_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListConversationNotesAnswer, Note]:
        """List the notes of a conversation, newest first."""
        return self._list(Call("GET", f"/v1/conversations/{_part(conversation_id)}/notes", query={"limit": limit, "cursor": cursor}), "notes", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_quick_replies(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListQuickRepliesAnswer, QuickReply]:
        """List the quick replies of the account, newest first."""
        return self._list(Call("GET", "/v1/quick-replies", query={"limit": limit, "cursor": cursor}), "quickReplies", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def create_quick_reply(
        self,
        body: CreateQuickReplyBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateQuickReplyAnswer:
        """Add a quick reply."""
        return await self._ask(Call("POST", "/v1/quick-replies", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def update_quick_reply(
        self,
        reply_id: str,
        body: UpdateQuickReplyBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdateQuickReplyAnswer:
        """Change a quick reply: only the fields that are sent."""
        return await self._ask(Call("PATCH", f"/v1/quick-replies/{_part(reply_id)}", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def delete_quick_reply(
        self,
        reply_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> DeleteQuickReplyAnswer:
        """Remove a quick reply."""
        return await self._ask(Call("DELETE", f"/v1/quick-replies/{_part(reply_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def list_phones(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ListPhonesAnswer:
        """List the numbers of the account."""
        return await self._ask(Call("GET", "/v1/phones"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def update_phone_webhook(
        self,
        phone_number_id: str,
        body: UpdatePhoneWebhookBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdatePhoneWebhookAnswer:
        """Set or clear the URL to which inbound messages of a number are forwarded."""
        return await self._ask(Call("PATCH", f"/v1/phones/{_part(phone_number_id)}/webhook", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def list_bots(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ListBotsAnswer:
        """List the bots of the account, newest first."""
        return await self._ask(Call("GET", "/v1/bots"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def create_bot(
        self,
        body: CreateBotBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateBotAnswer:
        """Create a bot."""
        return await self._ask(Call("POST", "/v1/bots", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_bot(
        self,
        bot_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetBotAnswer:
        """Read one bot with its graph."""
        return await self._ask(Call("GET", f"/v1/bots/{_part(bot_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def update_bot(
        self,
        bot_id: str,
        body: UpdateBotBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdateBotAnswer:
        """Change a bot: only the fields that are sent."""
        return await self._ask(Call("PATCH", f"/v1/bots/{_part(bot_id)}", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def delete_bot(
        self,
        bot_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> DeleteBotAnswer:
        """Delete a bot for good."""
        return await self._ask(Call("DELETE", f"/v1/bots/{_part(bot_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_bot_draft(
        self,
        bot_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetBotDraftAnswer:
        """Read the draft of a bot."""
        return await self._ask(Call("GET", f"/v1/bots/{_part(bot_id)}/draft"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def set_bot_draft(
        self,
        bot_id: str,
        body: SetBotDraftBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SetBotDraftAnswer:
        """Keep a graph as the draft of a bot."""
        return await self._ask(Call("PUT", f"/v1/bots/{_part(bot_id)}/draft", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def delete_bot_draft(
        self,
        bot_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> DeleteBotDraftAnswer:
        """Throw the draft of a bot away."""
        return await self._ask(Call("DELETE", f"/v1/bots/{_part(bot_id)}/draft"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def publish_bot(
        self,
        bot_id: str,
        body: PublishBotBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> PublishBotAnswer:
        """Make the draft of a bot live, or an earlier version of it."""
        return await self._ask(Call("POST", f"/v1/bots/{_part(bot_id)}/publish", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def validate_bot(
        self,
        bot_id: str,
        body: ValidateBotBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ValidateBotAnswer:
        """Find the problems of the stored graph, or of the graph in the request."""
        return await self._ask(Call("POST", f"/v1/bots/{_part(bot_id)}/validate", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def simulate_bot(
        self,
        bot_id: str,
        body: SimulateBotBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SimulateBotAnswer:
        """Simulate a bot, without sends, calls and charges."""
        return await self._ask(Call("POST", f"/v1/bots/{_part(bot_id)}/simulate", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_bot_runs(
        self,
        bot_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListBotRunsAnswer, Run]:
        """List the runs of a bot, newest first."""
        return self._list(Call("GET", f"/v1/bots/{_part(bot_id)}/runs", query={"limit": limit, "cursor": cursor}), "runs", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_bot_run(
        self,
        bot_id: str,
        run_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetBotRunAnswer:
        """Read one run, node by node."""
        return await self._ask(Call("GET", f"/v1/bots/{_part(bot_id)}/runs/{_part(run_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_bot_versions(
        self,
        bot_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListBotVersionsAnswer, BotVersion]:
        """List what a bot was after each change, newest first."""
        return self._list(Call("GET", f"/v1/bots/{_part(bot_id)}/versions", query={"limit": limit, "cursor": cursor}), "versions", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def list_templates(
        self,
        *,
        phone_number_id: str,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ListTemplatesAnswer:
        """List the templates of a number, live; from the local mirror when out of reach."""
        return await self._ask(Call("GET", "/v1/templates", query={"phoneNumberId": phone_number_id}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def create_template(
        self,
        body: CreateTemplateBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateTemplateAnswer:
        """Submit a template of your own for approval."""
        return await self._ask(Call("POST", "/v1/templates", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_template(
        self,
        id: str,
        *,
        phone_number_id: str | None = None,
        as_of: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetTemplateAnswer:
        """Read one template with its components, live."""
        return await self._ask(Call("GET", f"/v1/templates/{_part(id)}", query={"phoneNumberId": phone_number_id, "asOf": as_of}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_credits(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetCreditsAnswer:
        """Read the credit balance and its latest movements."""
        return await self._ask(Call("GET", "/v1/credits"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def create_quote(
        self,
        body: CreateQuoteBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateQuoteAnswer:
        """Ask what a send would cost."""
        return await self._ask(Call("POST", "/v1/quotes", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_charge(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetChargeAnswer:
        """Read a charge: its price, its message, and why it was given back."""
        return await self._ask(Call("GET", f"/v1/charges/{_part(id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    @overload
    async def get_credit_proof(
        self,
        *,
        charge_id: str,
        format: Literal["json"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetCreditProofAnswer: ...

    @overload
    async def get_credit_proof(
        self,
        *,
        charge_id: str,
        format: Literal["tlog-proof"],
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> str: ...

    async def get_credit_proof(
        self,
        *,
        charge_id: str,
        format: Literal["json", "tlog-proof"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetCreditProofAnswer | str:
        """Prove a charge: its place in the next seal of the ledger."""
        return await self._ask(Call("GET", "/v1/credits/proof", query={"chargeId": charge_id, "format": format}, is_text=format not in (None, "json")), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_wallet(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetWalletAnswer:
        """Read the wallet balance and its latest movements."""
        return await self._ask(Call("GET", "/v1/wallet"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def get_ledger(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        since: str | None = None,
        until: str | None = None,
        type: Literal["DEDUCT", "REFUND", "GRANT", "REVOKE"] | None = None,
        charge_id: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[GetLedgerAnswer, Entry]:
        """Read the movements of the balance, newest first, the whole history."""
        return self._list(Call("GET", "/v1/ledger", query={"limit": limit, "cursor": cursor, "since": since, "until": until, "type": type, "chargeId": charge_id}), "entries", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def list_webhooks(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ListWebhooksAnswer:
        """List the webhooks of the account, newest first."""
        return await self._ask(Call("GET", "/v1/webhooks"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def create_webhook(
        self,
        body: CreateWebhookBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateWebhookAnswer:
        """Create a webhook."""
        return await self._ask(Call("POST", "/v1/webhooks", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_webhook(
        self,
        webhook_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetWebhookAnswer:
        """Read one webhook."""
        return await self._ask(Call("GET", f"/v1/webhooks/{_part(webhook_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def update_webhook(
        self,
        webhook_id: str,
        body: UpdateWebhookBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdateWebhookAnswer:
        """Change a webhook: only the fields that are sent."""
        return await self._ask(Call("PATCH", f"/v1/webhooks/{_part(webhook_id)}", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def delete_webhook(
        self,
        webhook_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> DeleteWebhookAnswer:
        """Delete a webhook and what is known of its deliveries, for good."""
        return await self._ask(Call("DELETE", f"/v1/webhooks/{_part(webhook_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def rotate_webhook(
        self,
        webhook_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> RotateWebhookAnswer:
        """Replace the secret of a webhook."""
        return await self._ask(Call("POST", f"/v1/webhooks/{_part(webhook_id)}/rotate"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def test_webhook(
        self,
        webhook_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> TestWebhookAnswer:
        """Deliver an event `webhook.test` to a webhook."""
        return await self._ask(Call("POST", f"/v1/webhooks/{_part(webhook_id)}/test"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def replay_webhook(
        self,
        webhook_id: str,
        body: ReplayWebhookBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ReplayWebhookAnswer:
        """Deliver all events since a time once more."""
        return await self._ask(Call("POST", f"/v1/webhooks/{_part(webhook_id)}/replay", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_webhook_deliveries(
        self,
        webhook_id: str,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        since: str | None = None,
        state: Literal["waiting", "delivered", "failed"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListWebhookDeliveriesAnswer, WebhookDelivery]:
        """List the deliveries of a webhook, newest first."""
        return self._list(Call("GET", f"/v1/webhooks/{_part(webhook_id)}/deliveries", query={"limit": limit, "cursor": cursor, "since": since, "state": state}), "deliveries", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_webhook_delivery(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetWebhookDeliveryAnswer:
        """Read one delivery with its body and its calls."""
        return await self._ask(Call("GET", f"/v1/webhooks/{_part(webhook_id)}/deliveries/{_part(delivery_id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def resend_webhook_delivery(
        self,
        webhook_id: str,
        delivery_id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ResendWebhookDeliveryAnswer:
        """Deliver the event of a delivery once more."""
        return await self._ask(Call("POST", f"/v1/webhooks/{_part(webhook_id)}/deliveries/{_part(delivery_id)}/resend"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def invite_colleague(
        self,
        body: InviteColleagueBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> InviteColleagueAnswer:
        """Invite a person, with a link that works once."""
        return await self._ask(Call("POST", "/v1/people", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_colleagues(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListColleaguesAnswer, Person]:
        """List the people of the organisation."""
        return self._list(Call("GET", "/v1/people", query={"limit": limit, "cursor": cursor}), "people", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_colleague(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetColleagueAnswer:
        """Read one person, with the sessions that are open."""
        return await self._ask(Call("GET", f"/v1/people/{_part(id)}"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def update_colleague(
        self,
        id: str,
        body: UpdateColleagueBody | None = None,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> UpdateColleagueAnswer:
        """Change the name, the role or the accounts of a person."""
        return await self._ask(Call("PATCH", f"/v1/people/{_part(id)}", json=body or {}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def invite_colleague_again(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> InviteColleagueAgainAnswer:
        """Make another invitation; earlier ones work no more."""
        return await self._ask(Call("POST", f"/v1/people/{_part(id)}/invitation"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def end_colleague_sessions(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> EndColleagueSessionsAnswer:
        """End all sessions of a person."""
        return await self._ask(Call("DELETE", f"/v1/people/{_part(id)}/sessions"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def suspend_colleague(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> SuspendColleagueAnswer:
        """Suspend a person."""
        return await self._ask(Call("POST", f"/v1/people/{_part(id)}/suspend"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def reinstate_colleague(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ReinstateColleagueAnswer:
        """Reinstate a suspended person."""
        return await self._ask(Call("POST", f"/v1/people/{_part(id)}/reinstate"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    def list_keys(
        self,
        *,
        limit: int | None = None,
        cursor: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> AsyncList[ListKeysAnswer, Key]:
        """List the keys of the account, without their secrets."""
        return self._list(Call("GET", "/v1/keys", query={"limit": limit, "cursor": cursor}), "keys", {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def create_key(
        self,
        body: CreateKeyBody,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateKeyAnswer:
        """Create an API key; the key itself is shown only here."""
        return await self._ask(Call("POST", "/v1/keys", json=body), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def deactivate_own_key(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> DeactivateOwnKeyAnswer:
        """Switch a key off for now."""
        return await self._ask(Call("POST", f"/v1/keys/{_part(id)}/deactivate"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def activate_own_key(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> ActivateOwnKeyAnswer:
        """Switch a key on again."""
        return await self._ask(Call("POST", f"/v1/keys/{_part(id)}/activate"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def revoke_own_key(
        self,
        id: str,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> RevokeOwnKeyAnswer:
        """Revoke a key for good."""
        return await self._ask(Call("POST", f"/v1/keys/{_part(id)}/revoke"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    @overload
    async def get_statement(
        self,
        *,
        month: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        format: Literal["json"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetStatementAnswer: ...

    @overload
    async def get_statement(
        self,
        *,
        month: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        format: Literal["text", "csv", "html"],
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> str: ...

    async def get_statement(
        self,
        *,
        month: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        format: Literal["text", "csv", "html", "json"] | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> GetStatementAnswer | str:
        """Read the statement of a month, counted from the log."""
        return await self._ask(Call("GET", "/v1/statement", query={"month": month, "from": from_, "to": to, "format": format}, is_text=format not in (None, "json")), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def get_statement_proof(
        self,
        *,
        month: str | None = None,
        from_: str | None = None,
        to: str | None = None,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> File:
        """Download what proves a statement: its movements, and their seal."""
        return await self._file(Call("GET", "/v1/statement/proof", query={"month": month, "from": from_, "to": to}, is_file=True, timeout_seconds=FILE_SECONDS), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def create_console_link(
        self,
        *,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> CreateConsoleLinkAnswer:
        """Make a link that signs the holder of the credential in to the console, once."""
        return await self._ask(Call("POST", "/v1/console-links"), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})

    async def find(
        self,
        *,
        q: str,
        timeout_seconds: float | None = None,
        max_retries: int | None = None,
    ) -> FindAnswer:
        """Find whatever an id, a number or a name stands for."""
        return await self._ask(Call("GET", "/v1/find", query={"q": q}), {"timeout_seconds": timeout_seconds, "max_retries": max_retries})
