import { expect } from 'chai';
import fc from 'fast-check';
import {
  BotActionStarted,
  BotRunAnswered,
  BotRunEnded,
  conversationIdOf,
  MessageReceived,
} from '../../src/events/conversation.ts';
import type { Fact } from '../../src/events/define.ts';
import { definitions } from '../../src/events/index.ts';
import { StatusUpdated } from '../../src/events/message.ts';
import type { Recorded } from '../../src/events/store.ts';
import { botRuns } from '../../src/projections/bot-runs.ts';
import { contacts } from '../../src/projections/contacts.ts';
import { conversations } from '../../src/projections/conversations.ts';
import type { Destroyed, Projection } from '../../src/projections/define.ts';
import { media } from '../../src/projections/media.ts';
import { messages } from '../../src/projections/messages.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { bytesOf, foldAll } from '../support/projections.ts';
import {
  joined,
  recorded,
  sent,
  type Written,
  withData,
  written,
} from '../support/projections-facts.ts';
import { runs } from '../support/runs.ts';
import { botRunStarted, inboundMessage, NOW } from '../support/samples.ts';
import { subjectOfId } from '../support/subjects.ts';

// What a sweep leaves of the documents is what a rebuild makes of the events that are left.

const accountId = 'acc_1';
const phoneNumberId = '100000000000001';
const refOf = (id: string) => subjectOfId(id).ref;
/** One contact with three ids, and another one. */
const OWN = ['919812345678', 'IN.1', 'IN.2'] as const;
const STRANGER = '447700900123';
/** The number of the first one as a caller writes it; the provider calls it otherwise. */
const WRITTEN = '9119812345678';
const MONTHS = ['2026-09', '2026-10', '2026-11'] as const;

const KINDS = [
  'message',
  'file',
  'sent',
  'renamed',
  'status',
  'join',
  'changed',
  'start',
  'act',
  'answer',
  'end',
] as const;

interface Step {
  kind: (typeof KINDS)[number];
  id: string;
  month: string;
  name: string | null;
  userId: string | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom(...KINDS),
  id: fc.constantFrom(...OWN, STRANGER),
  month: fc.constantFrom(...MONTHS),
  name: fc.option(fc.constantFrom('Mia', 'Mia K.')),
  userId: fc.option(fc.constantFrom('IN.1', 'IN.2')),
});

/** Clocks of instances differ: at the turn of a month, an event may come under an older key. */
const histories = fc
  .tuple(fc.array(step, { minLength: 1, maxLength: 14 }), fc.boolean())
  .map(([steps, inOrder]) => {
    const months = steps.map(({ month }) => month).sort();
    if (inOrder) return steps.map((one, index) => ({ ...one, month: months[index]! }));
    // No clock is so wrong that a status comes under an older key than its message.
    return steps.map((one, index) => {
      const before = steps[index - 1]?.month ?? '';
      return one.kind === 'status' && one.month < before ? { ...one, month: before } : one;
    });
  });

const factOf = ({ kind, id, name, userId }: Step, at: number, all: readonly Step[]): Written => {
  const of = { accountId, phoneNumberId, contactRef: refOf(id) };
  const run = { runId: `run_${id}`, botId: 'bot_1', contactRef: refOf(id) };
  const when = NOW + at;
  const steps = [{ nodeId: 'a', nodeType: 'message', variables: { name } }];
  const cause = { messageId: `m${at}`, messageRevision: at, takenAt: isoTime(when) };
  const inThread = (fact: Fact) => written(`conversation-${conversationIdOf(of)}`, fact, when);
  switch (kind) {
    case 'message':
    case 'file': {
      const messageType = kind === 'file' ? 'image' : 'text';
      const image = { id: `f${at}`, mime_type: 'image/png' };
      const message = { id: `id of m${at}`, image, context: { id: 'm0' } };
      const mediaId = kind === 'file' ? `f${at % 3}` : null;
      const content = { messageRef: `m${at}`, messageType, message, mediaId, text: `text ${at}` };
      const who = { ...of, waId: id, userId, contactName: name, receivedAt: isoTime(when) };
      return inThread(MessageReceived.of(inboundMessage({ ...who, ...content })));
    }
    case 'sent':
    case 'renamed': {
      const to = kind === 'sent' ? id : WRITTEN;
      const one = sent(`m${at}`, accountId, { revision: at + 1, intent: { to } }, when);
      const shown = { waId: id, ...(userId !== null && { userId }) };
      const recipient = kind === 'sent' && userId === null ? null : shown;
      const charge = withData(one.charge!, { contactRef: refOf(to) });
      return { ...withData(one, { contactRef: refOf(id), recipient }), charge };
    }
    case 'status': {
      // Of the message before it, under the same contact.
      const contactId = all[at - 1]?.id ?? id;
      const status = { messageRef: `m${at - 1}`, status: 'failed', statusAt: isoTime(when) };
      const recipient = { waId: contactId, ...(userId !== null && { userId }) };
      const words = { errorCode: '1', errorMessage: name, messageId: null, recipient };
      const about = { ...of, contactRef: refOf(contactId), ...status, ...words };
      return written(`message-${accountId}.m${at - 1}`, StatusUpdated.of(about), when);
    }
    case 'join':
    case 'changed': {
      const user = id === 'IN.2' ? 'IN.2' : 'IN.1';
      const contact = kind === 'changed' && user === 'IN.2' ? 'IN.1' : OWN[0];
      return joined(user, contact, {}, when);
    }
    case 'start': {
      const begun = { ...run, ...of, ...cause, waId: id, userId, contactName: name, text: 'hi' };
      return inThread(botRunStarted(begun));
    }
    case 'act': {
      const action = { nodeId: 'b', kind: 'send' as const, attempts: 0, startedAt: isoTime(when) };
      return inThread(BotActionStarted.of({ ...run, ...action, steps, stepCount: 1 }));
    }
    case 'answer':
      return inThread(BotRunAnswered.of({ ...run, ...cause, text: 'yes', waId: id, userId }));
    case 'end': {
      const end = { accountId, nodeId: 'b', reason: 'failed' as const, detail: name };
      return inThread(BotRunEnded.of({ ...run, ...end, steps, stepCount: 1 }));
    }
  }
};

const personalOf = new Map<string, readonly string[]>(
  definitions.map(({ type, personal }) => [type, personal]),
);

const sealed = (event: Recorded, month: string): Recorded => ({
  ...event,
  ...(event.charge && { charge: sealed(event.charge, month) }),
  sealedMonth: month,
});

const isDestroyed = ({ data, sealedMonth }: Recorded, destroyed: Destroyed): boolean =>
  'refs' in destroyed
    ? destroyed.refs.includes((data as { contactRef: string }).contactRef)
    : sealedMonth! <= destroyed.through;

/** The event as a reader has it who comes after the destruction. */
const without = (event: Recorded, destroyed: Destroyed): Recorded => {
  const charge = event.charge && without(event.charge, destroyed);
  const kept = { ...event, ...(charge && { charge }) };
  if (!isDestroyed(event, destroyed)) return kept;
  const nothing = (personalOf.get(event.type) ?? []).map((name) => [name, null]);
  const data = { ...(event.data as object), ...Object.fromEntries(nothing) };
  return { ...kept, data, isErased: true };
};

const destructions: readonly Destroyed[] = [
  { refs: OWN.map(refOf) },
  { refs: [refOf(STRANGER)] },
  { refs: [refOf(WRITTEN)] },
  { refs: [...OWN, WRITTEN].map(refOf) },
  ...MONTHS.map((through) => ({ accountId, through })),
];

const swept = (
  projection: Projection<unknown>,
  events: readonly Recorded[],
  point: number,
  destroyed: Destroyed,
) => {
  const documents = foldAll(projection, events.slice(0, point));
  const by = [projection.erase!.by].flat();
  for (const [id, { document, position }] of documents) {
    const { sealedMonth, ...fields } = document as Record<string, string | null>;
    const isMeant =
      'refs' in destroyed
        ? by.some((field) => destroyed.refs.includes(fields[field] ?? ''))
        : (document as { accountId: string }).accountId === accountId &&
          (sealedMonth ?? '9') <= destroyed.through;
    if (sealedMonth === null || !isMeant) continue;
    const left = projection.erase!.document(document, destroyed);
    const { sealedMonth: month, ...rest } = left as Record<string, string | null>;
    const isFound =
      'refs' in destroyed
        ? by.some((field) => destroyed.refs.includes(rest[field] ?? ''))
        : month! <= destroyed.through;
    expect(month !== null && isFound).to.equal(false);
    documents.set(id, { document: left, position });
  }
  const rest = events.slice(point).map((event) => without(event, destroyed));
  return bytesOf(foldAll(projection, rest, documents));
};

describe('what an erasure leaves of a read model', () => {
  for (const projection of [messages, conversations, botRuns, contacts, media]) {
    for (const [numRuns, tag] of runs(150, 1000)) {
      it(`is what a rebuild makes of the events that are left: ${projection.name}${tag}`, () =>
        fc.assert(
          fc.property(
            histories,
            fc.nat(14),
            fc.constantFrom(...destructions),
            (steps, at, destroyed) => {
              const facts = steps.map(factOf);
              const events = recorded(facts).map((event, index) =>
                sealed(event, steps[index]!.month),
              );
              const point = Math.min(at, events.length);
              const any = projection as unknown as Projection<unknown>;
              const rebuilt = foldAll(
                any,
                events.map((event) => without(event, destroyed)),
              );
              expect(swept(any, events, point, destroyed)).to.deep.equal(bytesOf(rebuilt));
            },
          ),
          { numRuns },
        ));
    }
  }
});
