import { z } from 'zod';
import { type ContactJoin, numberIn } from './contact.ts';
import { defineEvent, type Fact, type FactOf } from './define.ts';

// The events between one contact and one number of one account, in the stream
// conversation-<conversation id>. When a number moves to another account, that account's
// conversations have streams of their own, so no account reads another's.

export interface ConversationKey {
  accountId: string;
  phoneNumberId: string;
  waId: string;
}

/** The only place that builds a conversation's id. An account's id contains no dot. */
export const conversationIdOf = ({ accountId, phoneNumberId, waId }: ConversationKey): string =>
  `${accountId}.${phoneNumberId}.${waId}`;

/** The ids of the two conversations at a number that a join of a contact's ids makes one. */
export const joinedIdsAt = (
  { accountId, userId, contact }: Pick<ContactJoin, 'accountId' | 'userId' | 'contact'>,
  phoneNumberId: string,
): { ofUserId: string; ofContact: string } => ({
  ofUserId: conversationIdOf({ accountId, phoneNumberId, waId: userId }),
  ofContact: conversationIdOf({ accountId, phoneNumberId, waId: contact }),
});

const STREAM_PREFIX = 'conversation-';

export const conversationStream = (conversationId: string): string =>
  `${STREAM_PREFIX}${conversationId}`;

/** The conversation id of a stream. */
export const conversationIdIn = (stream: string): string => stream.slice(STREAM_PREFIX.length);

/**
 * The streams of a conversation. In old logs only number and contact name the stream: it receives no
 * new message, but it is still read, and runs that wait in it end in it.
 */
export const conversationStreamsOf = (key: ConversationKey): readonly string[] =>
  [conversationIdOf(key), `${key.phoneNumberId}.${key.waId}`].map(conversationStream);

/** The contact's id in the account: digits, or a user id while the number is not known. */
const waId = z.string();
const thread = { phoneNumberId: z.string(), waId, accountId: z.string() };
/** The contact's user id; null where the provider gave none. */
const userId = z.string().nullable();
/** Before there was the field, a user id stood in the place of a number that was not known. */
const withUserId = (older: Record<string, unknown>) => ({
  ...older,
  userId: numberIn(String(older.waId)) === null ? older.waId : null,
});

export const MessageReceived = defineEvent(
  'MessageReceived',
  z.object({
    ...thread,
    userId,
    wabaId: z.string(),
    /** The receiving number; digits only. */
    displayPhoneNumber: z.string(),
    /** The provider's contact record, verbatim; null without one. */
    contact: z.record(z.string(), z.unknown()).nullable(),
    contactName: z.string().nullable(),
    messageId: z.string(),
    messageType: z.string(),
    /** The provider's message object, verbatim. */
    message: z.record(z.string(), z.unknown()),
    /** The provider's timestamp. */
    receivedAt: z.iso.datetime(),
    /** The text that the contact wrote or tapped; null without one. */
    text: z.string().nullable(),
  }),
  [withUserId],
);

/** The contact's preference for messages of this number: `stop` or `resume`. */
export const PreferenceReceived = defineEvent(
  'PreferenceReceived',
  z.object({
    ...thread,
    userId,
    wabaId: z.string(),
    contactName: z.string().nullable(),
    /** Derived from the provider's item, so that a repetition is recognised. */
    preferenceId: z.string(),
    category: z.string(),
    value: z.string(),
    detail: z.string().nullable(),
    receivedAt: z.iso.datetime(),
  }),
  [withUserId],
);

/** Recorded before the call of the owner's URL, so that a crash cannot forward twice. */
export const ForwardClaimed = defineEvent(
  'ForwardClaimed',
  z.object({
    ...thread,
    messageId: z.string(),
    /** Without the path, which may contain the owner's secret. */
    host: z.string(),
    /** Null in version 1. */
    claimedAt: z.iso.datetime().nullable(),
  }),
  [(v1) => ({ ...v1, claimedAt: null })],
);

/** The error text of a message that was left out, in version 1. */
const LEFT_OUT_V1 = 'not forwarded: too many messages wait for this URL';

const outcomeOfV1 = ({ statusCode, error }: Record<string, unknown>) => {
  if (statusCode !== null) return 'answered';
  return error === LEFT_OUT_V1 ? 'left_out' : 'failed';
};

export const MessageForwarded = defineEvent(
  'MessageForwarded',
  z.object({
    ...thread,
    messageId: z.string(),
    /**
     * `answered`: the URL answered with any status. `failed`: it did not answer in time.
     * `left_out`: it was not called. `unknown`: the process died around the call.
     */
    outcome: z.enum(['answered', 'failed', 'left_out', 'unknown']),
    /** Null without an answer; `error` then gives the reason. */
    statusCode: z.int().nullable(),
    latencyMs: z.int().min(0),
    error: z.string().nullable(),
  }),
  [(v1) => ({ ...v1, outcome: outcomeOfV1(v1) })],
);

const run = { runId: z.string(), botId: z.string() };
const variables = z.record(z.string(), z.unknown());

/**
 * The cause of a run. Its revision in this stream marks the handled part of the stream, so a repeated
 * message starts nothing.
 */
const cause = { messageId: z.string().nullable(), messageRevision: z.int().min(0) };
/** When the bot took the message; null in what was stored before there was such a field. */
const takenAt = z.iso.datetime().nullable();

export const BotRunStarted = defineEvent(
  'BotRunStarted',
  z.object({
    ...run,
    ...thread,
    userId,
    ...cause,
    contactName: z.string().nullable(),
    /** Revision of the bot's stream with the graph of this run. */
    botRevision: z.int().min(0),
    /** Number of the phone number's link, counted from 1; null in version 1. */
    link: z.int().min(1).nullable(),
    /** Text of the message, for texts of the bot. */
    text: z.string(),
    takenAt,
  }),
  [(v1) => ({ ...v1, link: null }), (v2) => ({ ...v2, takenAt: null }), withUserId],
);

/** The contact answered a run that waited. The counts for one message begin anew. */
export const BotRunAnswered = defineEvent(
  'BotRunAnswered',
  z.object({
    ...run,
    ...cause,
    text: z.string(),
    takenAt,
    /** The contact's ids of that time; both are null in older versions. */
    waId: z.string().nullable(),
    userId,
  }),
  [(v1) => ({ ...v1, takenAt: null }), (v2) => ({ ...v2, waId: null, userId: null })],
);

/** The nodes that a run left before it came to what the event says, in order. */
const steps = z.array(
  z.object({
    nodeId: z.string(),
    nodeType: z.string(),
    outcome: z.string().optional(),
    /** Absent where it is the next step's node. */
    nextNodeId: z.string().optional(),
    messageId: z.string().optional(),
    httpStatus: z.int().optional(),
    detail: z.string().optional(),
    variables: variables.optional(),
  }),
);
/** Before steps were part of these events, each step was an event of its own. */
const withoutSteps = (v1: Record<string, unknown>) => ({ ...v1, steps: [] });

/** Recorded before a send or a call, so that a crash cannot repeat it. */
export const BotActionStarted = defineEvent(
  'BotActionStarted',
  z.object({
    ...run,
    nodeId: z.string(),
    kind: z.enum(['send', 'request']),
    /** Invalid answers to the node so far. */
    attempts: z.int().min(0),
    startedAt: z.iso.datetime(),
    steps,
  }),
  [withoutSteps],
);

/** The run left a node. No longer written: `expandSteps` makes it of the steps of other events. */
export const BotRunStepped = defineEvent(
  'BotRunStepped',
  z.object({
    ...run,
    nodeId: z.string(),
    nodeType: z.string(),
    /** Null for a node that ends the run. */
    outcome: z.string().nullable(),
    /** The next node; null at the end. */
    nextNodeId: z.string().nullable(),
    /** The message that the node sent. */
    messageId: z.string().nullable(),
    /** Status of the URL's answer. */
    httpStatus: z.int().nullable(),
    /** Reason of the outcome, where it is not obvious. */
    detail: z.string().nullable(),
    /** Variables that the node set, with their new values. */
    variables,
  }),
);

export const BotRunWaiting = defineEvent(
  'BotRunWaiting',
  z.object({
    ...run,
    nodeId: z.string(),
    kind: z.enum(['reply', 'delay']),
    until: z.iso.datetime(),
    attempts: z.int().min(0),
    /** The message that asks for the reply. */
    messageId: z.string().nullable(),
    steps,
  }),
  [withoutSteps],
);

export const BotRunEndReason = z.enum([
  'completed',
  'handoff',
  /** The contact did not answer in time, and the graph has no edge for it. */
  'timeout',
  'failed',
  /** The run met a bound: steps, requests, messages in a minute, variables, bytes to record, CPU time. */
  'bounds',
  /** Another bot took over while this run waited. */
  'superseded',
  'bot_deleted',
  'bot_inactive',
  /** The number was unlinked from the account. */
  'number_unlinked',
]);
export type BotRunEndReason = z.output<typeof BotRunEndReason>;

export const BotRunEnded = defineEvent(
  'BotRunEnded',
  z.object({
    ...run,
    accountId: z.string(),
    nodeId: z.string().nullable(),
    reason: BotRunEndReason,
    detail: z.string().nullable(),
    steps,
  }),
  [withoutSteps],
);

/** A person takes over: until this time no bot answers the contact. */
export const BotsSilenced = defineEvent(
  'BotsSilenced',
  z.object({ ...run, until: z.iso.datetime() }),
);

/**
 * Another stream goes on with this conversation, because its contact turned out to be that of the other.
 * No message comes to this stream from here on.
 */
export const ConversationContinued = defineEvent(
  'ConversationContinued',
  z.object({ accountId: z.string(), conversationId: z.string(), in: z.string() }),
);

/** What outlives a conversation that goes on in this one. */
export const ConversationTakenIn = defineEvent(
  'ConversationTakenIn',
  z.object({
    accountId: z.string(),
    conversationId: z.string(),
    from: z.string(),
    /** Until when no bot answers; null where one may. */
    silentUntil: z.iso.datetime().nullable(),
    /** Times of the bots' latest messages. */
    sentAt: z.array(z.iso.datetime()),
  }),
);

export const botRunEvents = [
  BotRunStarted,
  BotRunAnswered,
  BotActionStarted,
  BotRunStepped,
  BotRunWaiting,
  BotRunEnded,
  BotsSilenced,
] as const;
export type BotRunFact = FactOf<(typeof botRunEvents)[number]>;

/** A node that a run left. */
export type BotStep = Readonly<Omit<FactOf<typeof BotRunStepped>['data'], 'runId' | 'botId'>>;

/** Steps as events hold them: without fields that say nothing. */
export const packSteps = (all: readonly BotStep[]): z.output<typeof steps> =>
  all.map(({ nodeId, nodeType, outcome, messageId, httpStatus, detail, ...step }, index) => ({
    ...{ nodeId, nodeType },
    ...(outcome !== null && { outcome }),
    ...(step.nextNodeId !== null &&
      step.nextNodeId !== all[index + 1]?.nodeId && { nextNodeId: step.nextNodeId }),
    ...(messageId !== null && { messageId }),
    ...(httpStatus !== null && { httpStatus }),
    ...(detail !== null && { detail }),
    ...(Object.keys(step.variables).length > 0 && { variables: step.variables }),
  }));

const unpackSteps = (packed: z.output<typeof steps>): BotStep[] =>
  packed.map((step, index) => ({
    nodeId: step.nodeId,
    nodeType: step.nodeType,
    outcome: step.outcome ?? null,
    nextNodeId: step.nextNodeId ?? packed[index + 1]?.nodeId ?? null,
    messageId: step.messageId ?? null,
    httpStatus: step.httpStatus ?? null,
    detail: step.detail ?? null,
    variables: step.variables ?? {},
  }));

const withSteps: ReadonlySet<string> = new Set(
  [BotActionStarted, BotRunWaiting, BotRunEnded].map(({ type }) => type),
);

/** The event with one BotRunStepped before it for each of its steps. */
export const expandSteps = <F extends Fact>(event: F): readonly F[] => {
  if (!withSteps.has(event.type)) return [event];
  const data = event.data as FactOf<typeof BotRunEnded>['data'];
  const ids = { runId: data.runId, botId: data.botId };
  const stepped = unpackSteps(data.steps).map((step) => {
    return { ...event, type: BotRunStepped.type, data: { ...ids, ...step } };
  });
  return [...stepped, event];
};

export const conversationEvents = [
  MessageReceived,
  PreferenceReceived,
  ForwardClaimed,
  MessageForwarded,
  ConversationContinued,
  ConversationTakenIn,
  ...botRunEvents,
] as const;
export type ConversationFact = FactOf<(typeof conversationEvents)[number]>;
