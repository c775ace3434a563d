import { z } from 'zod';
import { type ContactJoin, numberIn } from './contact.ts';
import { MediaKind } from './content.ts';
import { defineEvent, type Fact, type FactOf } from './define.ts';
import { messageRef, withMessageRef } from './message.ts';
import { namesOthers, personal } from './personal.ts';
import { idInStream } from './streams.ts';

// The events between one contact and one number of one account, in the stream
// conversation-<conversation id>. When a number moves to another account, that account's
// conversations have streams of their own, so no account reads another's.

export interface ConversationKey {
  accountId: string;
  phoneNumberId: string;
  contactRef: string;
}

/** The only place that builds a conversation's id. An account's id contains no dot. */
export const conversationIdOf = ({ accountId, phoneNumberId, contactRef }: ConversationKey) =>
  `${accountId}.${phoneNumberId}.${contactRef}`;

/** The parts of a conversation's id; empty ones of a text that is none. The id of a number contains no dot. */
export const conversationKeyOf = (id: string): ConversationKey => {
  const [accountId = '', phoneNumberId = ''] = id.split('.', 2);
  const contactRef = id.slice(accountId.length + phoneNumberId.length + 2);
  return { accountId, phoneNumberId, contactRef };
};

/** The ids of the two conversations at a number that a join of a contact's ids makes one. */
export const joinedIdsAt = (
  { accountId, userRef, contactRef }: Pick<ContactJoin, 'accountId' | 'userRef' | 'contactRef'>,
  phoneNumberId: string,
): { ofUserId: string; ofContact: string } => ({
  ofUserId: conversationIdOf({ accountId, phoneNumberId, contactRef: userRef }),
  ofContact: conversationIdOf({ accountId, phoneNumberId, contactRef }),
});

const CATEGORY = 'conversation';

export const conversationStream = (conversationId: string): string =>
  `${CATEGORY}-${conversationId}`;

/** The conversation id of a stream. */
export const conversationIdIn = (stream: string): string => idInStream(stream, CATEGORY);

/** Its events hold personal fields, which are null also where the contact is erased. */
const ofContact = { contactRef: z.string() };
const thread = { phoneNumberId: z.string(), ...ofContact, accountId: z.string() };
/** The contact's id in the account: digits, or a user id while the number is not known. */
const waId = personal(z.string());
/** The contact's user id; null where the provider gave none. */
const userId = personal(z.string());
/** Before there was the field, a user id stood in the place of a number that was not known. */
const withUserId = (older: Record<string, unknown>) => ({
  ...older,
  userId: numberIn(String(older.waId)) === null ? older.waId : null,
});
/** Before contacts had pseudonyms, their ids were in clear and named them. */
const withRef = (older: Record<string, unknown>) => ({
  ...older,
  contactRef: older.waId ?? older.userId ?? '',
});

/** The id of the file of an inbound message, which holds it under the name of its kind. */
export const mediaIdIn = (received: { messageType?: unknown; message?: unknown }) => {
  const kind = MediaKind.safeParse(received.messageType).data;
  const { message } = received as { message: Record<string, { id?: unknown } | undefined> };
  const id = kind && message[kind]?.id;
  return typeof id === 'string' && id !== '' ? id : null;
};

/** The provider's id of a customer's message, which the provider's message object holds. */
export const receivedIdIn = ({ message }: { message: unknown }): string | null => {
  const { id } = (message ?? {}) as { id?: unknown };
  return typeof id === 'string' ? id : null;
};

/** What a customer filled in, in a flow of the provider. */
export const FlowReply = z.object({
  name: z.string().describe('The name that the provider gives the reply.'),
  response: z.record(z.string(), z.unknown()).describe('The fields of the flow.'),
});
export type FlowReply = z.output<typeof FlowReply>;

const objectIn = (text: unknown): unknown => {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
};

/** The reply to a flow in the provider's message object, which holds it as JSON text; undefined without one. */
export const flowIn = (message: unknown): FlowReply | undefined => {
  const { interactive } = (message ?? {}) as { interactive?: { nfm_reply?: unknown } };
  const reply = interactive?.nfm_reply as { name?: unknown; response_json?: unknown } | undefined;
  if (!reply) return undefined;
  const response = objectIn(reply.response_json);
  return FlowReply.safeParse({ name: reply.name ?? 'flow', response }).data;
};

/** The provider's message object as callers see it: with the reply to a flow as data. */
export const shownMessage = <T>(message: T): T => {
  const flow = flowIn(message);
  return flow ? { ...message, flow } : message;
};

export const MessageReceived = defineEvent(
  'MessageReceived',
  z.object({
    ...thread,
    waId,
    userId,
    wabaId: z.string(),
    /** The receiving number; digits only. */
    displayPhoneNumber: z.string(),
    /** The provider's contact record, verbatim; null without one. */
    contact: personal(z.record(z.string(), z.unknown())),
    contactName: personal(z.string()),
    messageRef,
    messageType: z.string(),
    /** The provider's id of the file in it; null without one. */
    mediaId: z.string().nullable(),
    /** The provider's message object, verbatim. */
    message: personal(z.record(z.string(), z.unknown())),
    /** The provider's timestamp. */
    receivedAt: z.iso.datetime(),
    /** The text that the contact wrote or tapped; null without one. */
    text: personal(z.string()),
    ...namesOthers,
  }),
  [
    withUserId,
    (v2) => ({ ...withRef(v2), mediaId: mediaIdIn(v2) }),
    withMessageRef,
    // Version 4 says of others what it says under the key of its own contact alone.
    (v4) => v4,
  ],
);

/** The contact's preference for messages of this number: `stop` or `resume`. */
export const PreferenceReceived = defineEvent(
  'PreferenceReceived',
  z.object({
    ...thread,
    waId,
    userId,
    wabaId: z.string(),
    contactName: personal(z.string()),
    /** Derived from the provider's item, so that a repetition is recognised. */
    preferenceId: z.string(),
    category: z.string(),
    value: z.string(),
    detail: personal(z.string()),
    receivedAt: z.iso.datetime(),
  }),
  [withUserId, withRef],
);

/** Recorded before the call of the owner's URL, so that a crash cannot forward twice. */
export const ForwardClaimed = defineEvent(
  'ForwardClaimed',
  z.object({
    ...thread,
    messageRef,
    /** Without the path, which may contain the owner's secret. */
    host: z.string(),
    /** Null in version 1. */
    claimedAt: z.iso.datetime().nullable(),
  }),
  [(v1) => ({ ...v1, claimedAt: null }), withRef, withMessageRef],
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
    messageRef,
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
  [(v1) => ({ ...v1, outcome: outcomeOfV1(v1) }), withRef, withMessageRef],
);

const run = { runId: z.string(), botId: z.string() };
const variables = z.record(z.string(), z.unknown());

/**
 * The cause of a run. Its revision in this stream marks the handled part of the stream, so a repeated
 * message starts nothing. A preference has no id.
 */
const cause = { messageId: personal(z.string()), messageRevision: z.int().min(0) };
/** The id of a message was in clear in the version before. */
const sealsMessageId = (older: Record<string, unknown>) => older;
/** When the bot took the message; null in what was stored before there was such a field. */
const takenAt = z.iso.datetime().nullable();

/** The reply to a flow that the message is; absent of other messages. */
const flow = personal(FlowReply).optional();

export const BotRunStarted = defineEvent(
  'BotRunStarted',
  z.object({
    ...run,
    ...thread,
    waId,
    userId,
    ...cause,
    contactName: personal(z.string()),
    /** Revision of the bot's stream with the graph of this run. */
    botRevision: z.int().min(0),
    /** Number of the phone number's link, counted from 1; null in version 1. */
    link: z.int().min(1).nullable(),
    /** Text of the message, for texts of the bot. */
    text: personal(z.string()),
    flow,
    takenAt,
  }),
  [
    (v1) => ({ ...v1, link: null }),
    (v2) => ({ ...v2, takenAt: null }),
    withUserId,
    withRef,
    sealsMessageId,
  ],
);

/** The contact answered a run that waited. The counts for one message begin at zero. */
export const BotRunAnswered = defineEvent(
  'BotRunAnswered',
  z.object({
    ...run,
    ...ofContact,
    ...cause,
    text: personal(z.string()),
    flow,
    takenAt,
    /** The contact's ids of that time; both are null in older versions. */
    waId,
    userId,
  }),
  [
    (v1) => ({ ...v1, takenAt: null }),
    (v2) => ({ ...v2, waId: null, userId: null }),
    withRef,
    sealsMessageId,
  ],
);

const packedSteps = z.array(
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
type PackedSteps = z.output<typeof packedSteps>;
/** The nodes that a run left before it came to what the event says, in order; null without one. */
const left = { steps: personal(packedSteps), stepCount: z.int().min(0) };

interface LeftNodes {
  steps: PackedSteps | null;
  stepCount: number;
}

/** No steps are no content, and so need no key. */
const leftNodes = (steps: PackedSteps): LeftNodes => ({
  steps: steps.length === 0 ? null : steps,
  stepCount: steps.length,
});

/** Before steps were part of these events, each step was an event of its own. */
const withoutSteps = (v1: Record<string, unknown>) => ({ ...v1, steps: [] });
/** Before there was the count, steps were in clear and named no contact. */
const withCount = ({ steps, ...v2 }: Record<string, unknown>) => ({
  ...v2,
  contactRef: '',
  ...leftNodes(steps as PackedSteps),
});

/** Recorded before a send or a call, so that a crash cannot repeat it. */
export const BotActionStarted = defineEvent(
  'BotActionStarted',
  z.object({
    ...run,
    ...ofContact,
    nodeId: z.string(),
    kind: z.enum(['send', 'request']),
    /** Invalid answers to the node so far. */
    attempts: z.int().min(0),
    startedAt: z.iso.datetime(),
    ...left,
  }),
  [withoutSteps, withCount],
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
    ...ofContact,
    nodeId: z.string(),
    kind: z.enum(['reply', 'delay']),
    until: z.iso.datetime(),
    attempts: z.int().min(0),
    /** The message that asks for the reply. */
    messageId: personal(z.string()),
    ...left,
  }),
  [withoutSteps, withCount, sealsMessageId],
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
  /** The contact's data was erased, or is older than the account keeps it. */
  'erased',
]);
export type BotRunEndReason = z.output<typeof BotRunEndReason>;

export const BotRunEnded = defineEvent(
  'BotRunEnded',
  z.object({
    ...run,
    ...ofContact,
    accountId: z.string(),
    nodeId: z.string().nullable(),
    reason: BotRunEndReason,
    /** Reason in more words, which may quote the contact. */
    detail: personal(z.string()),
    ...left,
  }),
  [withoutSteps, withCount],
);

/** A person takes over: until this time no bot answers the contact. */
export const BotsSilenced = defineEvent(
  'BotsSilenced',
  z.object({
    ...thread,
    /** The run that handed the conversation over; null where a person took it. */
    runId: z.string().nullable(),
    botId: z.string().nullable(),
    until: z.iso.datetime(),
  }),
  // Version 1 repeats nothing of its stream's name.
  [(v1, stream) => ({ ...conversationKeyOf(conversationIdIn(stream)), ...v1 })],
);

/** A person gives the conversation back: bots answer what is written from here on. */
export const BotsResumed = defineEvent(
  'BotsResumed',
  z.object({ ...thread, at: z.iso.datetime() }),
);

/** A person of the account's organisation looks after it from here on; null for no person. */
export const ConversationAssigned = defineEvent(
  'ConversationAssigned',
  z.object({ ...thread, personId: z.string().nullable() }),
);

/** The labels that it has from here on. */
export const ConversationLabelled = defineEvent(
  'ConversationLabelled',
  z.object({ ...thread, labels: personal(z.array(z.string())) }),
);

/** Somebody noted something for the others who look after it. */
export const NoteAdded = defineEvent(
  'NoteAdded',
  z.object({ ...thread, noteId: z.string(), text: personal(z.string()) }),
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
export const packSteps = (all: readonly BotStep[]): LeftNodes =>
  leftNodes(
    all.map(({ nodeId, nodeType, outcome, messageId, httpStatus, detail, ...step }, index) => ({
      nodeId,
      nodeType,
      ...(outcome !== null && { outcome }),
      ...(step.nextNodeId !== null &&
        step.nextNodeId !== all[index + 1]?.nodeId && { nextNodeId: step.nextNodeId }),
      ...(messageId !== null && { messageId }),
      ...(httpStatus !== null && { httpStatus }),
      ...(detail !== null && { detail }),
      ...(Object.keys(step.variables).length > 0 && { variables: step.variables }),
    })),
  );

const unpackSteps = (packed: PackedSteps): BotStep[] =>
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
  const stepped = unpackSteps(data.steps ?? []).map((step) => {
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
  BotsResumed,
  ConversationAssigned,
  ConversationLabelled,
  NoteAdded,
  ...botRunEvents,
] as const;
export type ConversationFact = FactOf<(typeof conversationEvents)[number]>;
