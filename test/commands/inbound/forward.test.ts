import { expect } from 'chai';
import type { Subjects } from '../../../src/commands/contacts/subjects.ts';
import { createWriter, type Writer } from '../../../src/commands/core/execute.ts';
import type { OutboundOutcome, OutboundRequest } from '../../../src/commands/core/outbound.ts';
import { runReactor } from '../../../src/commands/core/reactor.ts';
import { conversationDecider } from '../../../src/commands/inbound/conversation.ts';
import {
  createForwarder,
  forwardedTypes,
  forwardPayload,
} from '../../../src/commands/inbound/forward.ts';
import { phoneDecider } from '../../../src/commands/numbers/phone.ts';
import { conversationIdOf } from '../../../src/events/conversation.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import { type EventStore, StoreUnavailable } from '../../../src/events/store.ts';
import { systemIds } from '../../../src/shared/system.ts';
import { fixedClock } from '../../support/ambient.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { react } from '../../support/react.ts';
import { inboundMessage, profile } from '../../support/samples.ts';
import { memorySubjects, openedLog, subjectOfId } from '../../support/subjects.ts';
import { until, untilTrue } from '../../support/until.ts';

const ANSWERED: OutboundOutcome = { kind: 'answered', status: 200, body: '', latencyMs: 1 };
const DAY_MS = 24 * 60 * 60_000;
const ABANDONED_MS = 10_000;
const CALLS_PER_NUMBER = 16;
const OTHER_URL = 'https://other.example/hook';

describe('the forwarder @long', () => {
  let store: EventStore;
  let clock: ReturnType<typeof fixedClock>;
  const context = { requestId: 'test' };
  const [phoneNumberId, waId, accountId] = ['10', '919812345678', 'acc'];
  const subject = subjectOfId(waId);
  const contactRef = subject.ref;
  const thread = { accountId, phoneNumberId, contactRef };
  const conversationId = conversationIdOf(thread);
  const of = { phoneNumberId, wabaId: '1', accountId };
  const terms = { ...of, accessToken: null, profile: profile(), messagesPerSecond: 1 };
  let received = 0;

  beforeEach(async () => {
    calls = 0;
    // Each of its writers stands for a process of its own.
    store = { ...openedLog(await openOwnStore()), soleWriter: false };
    clock = fixedClock();
    await onPhone({ type: 'Link', terms });
    await setUrl('https://shop.example/hook/s3cret');
  });
  afterEach(() => store.close());

  const newWriter = () => createWriter({ store, clock, ids: systemIds });
  const onPhone = (command: Parameters<typeof phoneDecider.decide>[0]) =>
    newWriter().execute(phoneDecider, phoneNumberId, command, context);
  const setUrl = (webhookUrl: string | null) =>
    onPhone({ type: 'SetWebhook', phoneNumberId, accountId, webhookUrl });
  const receive = async (of = accountId): Promise<KnownEvent> => {
    received += 1;
    const message = inboundMessage({ ...thread, accountId: of, messageRef: `wamid.${received}` });
    const command = { type: 'Receive' as const, message };
    const id = conversationIdOf({ accountId: of, phoneNumberId, contactRef });
    const on = { ...context, subjects: [subject] };
    await newWriter().execute(conversationDecider, id, command, on);
    return (await store.read(`conversation-${id}`)).at(-1) as KnownEvent;
  };
  const told = async () => (await store.read(`conversation-${conversationId}`)) as KnownEvent[];
  const count = async (type: KnownEvent['type']) =>
    (await told()).filter((event) => event.type === type).length;
  const open = (
    request: (call: OutboundRequest) => Promise<OutboundOutcome>,
    writerStore = store,
    writer = createWriter({ store: writerStore, clock, ids: systemIds }),
    subjects: Subjects = memorySubjects,
  ) =>
    createForwarder({
      writer,
      subjects,
      outbound: { request },
      clock,
      onFault: (error) => {
        throw error;
      },
    });
  const never = () => new Promise<OutboundOutcome>(() => undefined);
  /** Until the event is done with. */
  const handle = async (forwarder: ReturnType<typeof open>, event: KnownEvent) =>
    (await react(forwarder, event))?.settled;
  const handleByFive = (event: KnownEvent) =>
    Promise.all(Array.from({ length: 5 }, () => handle(open(answer), event)));
  const untilClaimed = (claims = 1) =>
    untilTrue('the claims', async () => (await count('ForwardClaimed')) === claims);
  /** A process dies in the calls for these; what it may still do takes so long at most. */
  const abandon = async (...events: KnownEvent[]) => {
    for (const event of events) void react(open(never), event);
    await untilClaimed(events.length);
    clock.advance(ABANDONED_MS);
  };
  const isPending = async (work: Promise<unknown> | undefined) => {
    let isDone = false;
    void Promise.resolve(work).then(() => {
      isDone = true;
    });
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    return !isDone;
  };
  const expectLeftOut = (event: KnownEvent | undefined, why: RegExp) => {
    expect(event?.type).to.equal('MessageForwarded');
    const { error, ...data } = (event as KnownEvent & { type: 'MessageForwarded' }).data;
    expect(data).to.include({ outcome: 'left_out', statusCode: null });
    expect(error).to.match(why);
  };
  /** Calls that were made, each of which is answered. */
  let calls = 0;
  const answer = async () => {
    calls += 1;
    return ANSWERED;
  };

  it('forwards what a customer can send, under its name', async () => {
    const types =
      'text interactive button image video audio document location contacts sticker reaction order';
    expect(forwardedTypes).to.deep.equal(types.split(' '));
    const forwarder = open(async () => ANSWERED);
    const { name, on } = forwarder;
    expect([name, Object.keys(on)]).to.deep.equal(['forwards', ['MessageReceived']]);
    const event = (await receive()) as KnownEvent & { type: 'MessageReceived' };
    const system = { ...event, data: { ...event.data, messageType: 'system' } };
    expect(await react(forwarder, system)).to.equal(undefined);
  });

  it('gives a URL the five seconds of the contract, and reads no answer', async () => {
    const asked: OutboundRequest[] = [];
    const request = async (call: OutboundRequest) => {
      asked.push(call);
      return ANSWERED;
    };
    await handle(open(request), await receive());
    expect(asked).to.have.length(1);
    expect(asked[0]).to.include({ method: 'POST', timeoutMs: 5000, bytesMax: 0 });
  });

  it('is done with a message once its outcome is recorded', async () => {
    let record = () => undefined as unknown;
    const real = newWriter();
    const execute: Writer['execute'] = async (decider, id, command, ...rest) => {
      if ((command as { type: string }).type === 'NoteForward') {
        await new Promise<unknown>((resolve) => {
          record = () => resolve(undefined);
        });
      }
      return real.execute(decider, id, command, ...rest);
    };
    const work = handle(open(answer, store, { ...real, execute }), await receive());
    await untilClaimed();
    expect(await isPending(work)).to.equal(true);
    record();
    await work;
    expect(await count('MessageForwarded')).to.equal(1);
  });

  it('ends with the calls that are under way', async () => {
    const call = Promise.withResolvers<OutboundOutcome>();
    const forwarder = open(() => {
      calls += 1;
      return call.promise;
    });
    await react(forwarder, await receive());
    await until('the call is made', () => calls === 1);
    const draining = forwarder.drain?.();
    expect(await isPending(draining)).to.equal(true);
    call.resolve(ANSWERED);
    await draining;
    expect(await count('MessageForwarded')).to.equal(1);
  });

  it('calls once where several instances see the same message', async () => {
    await handleByFive(await receive());
    expect(calls).to.equal(1);
    expect(await count('ForwardClaimed')).to.equal(1);
    expect(await count('MessageForwarded')).to.equal(1);
  });

  it('lets no message wait for the URL of the number’s previous account', async () => {
    const called: string[] = [];
    const forwarder = open(async ({ url }) => {
      called.push(url);
      return url === OTHER_URL ? ANSWERED : never();
    });
    for (let call = 0; call < CALLS_PER_NUMBER; call += 1) await react(forwarder, await receive());
    await until('all the calls', () => called.length === CALLS_PER_NUMBER);
    await onPhone({ type: 'Unlink', phoneNumberId });
    await onPhone({ type: 'Link', terms: { ...terms, accountId: 'other' } });
    await onPhone({ type: 'SetWebhook', phoneNumberId, accountId: 'other', webhookUrl: OTHER_URL });
    await handle(forwarder, await receive('other'));
    expect(called.at(-1)).to.equal(OTHER_URL);
  });

  it('does not call again when a process died in the call', async () => {
    const event = await receive();
    await abandon(event);
    await handleByFive(event);
    expect(calls).to.equal(0);
    expect(await count('ForwardClaimed')).to.equal(1);
    expect(await count('MessageForwarded')).to.equal(1);
    expect((await told()).at(-1)?.data).to.include({ outcome: 'unknown', statusCode: null });
    await handle(open(answer), event);
    expect(await count('MessageForwarded')).to.equal(1);
  });

  it('gives a call that goes on elsewhere its time to come to an end', async () => {
    const event = await receive();
    const call = Promise.withResolvers<OutboundOutcome>();
    const calling = open(() => call.promise);
    const first = await react(calling, event);
    await untilClaimed();
    const second = await react(open(never), event);
    call.resolve(ANSWERED);
    await Promise.all([first?.settled, second?.settled]);
    expect(await count('MessageForwarded')).to.equal(1);
    expect((await told()).at(-1)?.data).to.include({ outcome: 'answered', statusCode: 200 });
  });

  it('looks once only when the call must be over already', async () => {
    const event = await receive();
    await abandon(event);
    const writer = newWriter();
    let looks = 0;
    const load: Writer['load'] = (decider, id) => {
      if (id === conversationId) looks += 1;
      return writer.load(decider, id);
    };
    await handle(open(never, store, { ...writer, load }), event);
    expect(looks).to.equal(1);
    expect((await told()).at(-1)?.data).to.include({ outcome: 'unknown' });
  });

  it('closes the claims of a dead process, also a day later or without a URL', async () => {
    const [one, other] = [await receive(), await receive()];
    await abandon(one, other);
    await setUrl(null);
    await handle(open(never), one);
    expect(await count('MessageForwarded')).to.equal(1);
    clock.advance(DAY_MS);
    await handle(open(never), other);
    expect(await count('MessageForwarded')).to.equal(2);
    expect((await told()).at(-1)?.data).to.include({ outcome: 'unknown' });
  });

  it('hands over at once, so that the log is followed past what hangs', async () => {
    const calls: string[] = [];
    const forwarder = open((call) => {
      calls.push(JSON.parse(call.body!).message.type);
      return never();
    });
    for (let message = 0; message < 30; message += 1) await react(forwarder, await receive());
    await until('the first calls', () => calls.length === 16);
  });

  it('leaves out the message of a contact who was erased, before or after it was read', async () => {
    const [read, unread] = [await receive(), await receive()];
    const gone: Subjects = { ...memorySubjects, ofRef: () => undefined };
    await handle(open(answer, store, newWriter(), gone), read);
    const nothing = { message: null, waId: null, userId: null, text: null, contact: null };
    const data = { ...unread.data, ...nothing };
    await handle(open(answer), { ...unread, data, isErased: true } as KnownEvent);
    expect(calls).to.equal(0);
    const outcomes = (await told()).filter(({ type }) => type === 'MessageForwarded');
    expect(outcomes).to.have.length(2);
    for (const event of outcomes) expectLeftOut(event, /erased/);
  });

  it('records that a message was left out when too many wait', async () => {
    const forwarder = open(never);
    const event = await receive();
    // The same message many times stands for many: what counts is how many wait.
    for (let message = 0; message < 500; message += 1) await react(forwarder, event);
    await untilClaimed();
    await handle(forwarder, await receive());
    const last = (await told()).at(-1);
    expectLeftOut(last, /too many/);
    expect(last?.data).to.include({ messageRef: `wamid.${received}` });
  });

  it('lets ten thousand messages of all numbers wait, and leaves the next one out', async () => {
    const first = await receive();
    if (first.type !== 'MessageReceived') throw new Error('no message');
    const writer = newWriter();
    const { state } = await writer.load(phoneDecider, phoneNumberId);
    const done: [account: string | undefined, type: string][] = [];
    const stuck = {
      ...writer,
      load: async (_: unknown, id: string) => ({ state: { ...state, accountId: id }, revision: 0 }),
      execute: async (_: unknown, id: string, { type }: { type: string }) => {
        done.push([id, type]);
        return never();
      },
    } as unknown as Writer;
    const forwarder = open(never, store, stuck);
    for (let number = 1; number <= 10_001; number += 1) {
      const [accountId, stream] = [`${number}`, `conversation-${number}`];
      const data = { ...first.data, accountId, phoneNumberId: accountId };
      await react(forwarder, { ...first, stream, data });
    }
    await until('all of them', () => done.length === 10_001);
    const others = done.filter(([, type]) => type !== 'ClaimForward');
    expect(others).to.deep.equal([['10001', 'LeaveForward']]);
  });

  it('goes on in the log while it says that a message was left out', async () => {
    const stuck: EventStore = { ...store, append: () => new Promise(() => undefined) };
    const forwarder = open(never, stuck);
    const event = await receive();
    for (let message = 0; message < 500; message += 1) await react(forwarder, event);
    const leaving = await react(forwarder, await receive());
    expect(leaving).to.have.property('settled');
    expect(await isPending(leaving!.settled)).to.equal(true);
  });

  it('forwards after an outage the messages of a day, and records that it left out the older ones', async () => {
    const [old, young] = [await receive(), await receive()];
    const forwarder = open(answer);
    clock.advance(DAY_MS - 1);
    await handle(forwarder, young);
    clock.advance(1);
    await handle(forwarder, old);
    expect(calls).to.equal(1);
    const last = (await told()).at(-1);
    expectLeftOut(last, /older than a day/);
    expect(last?.data).to.include({ messageRef: `wamid.${received - 1}` });
  });

  it('is shown again at the next start what was not brought to an end', async () => {
    const run = (log = store) =>
      runReactor(open(answer, log), { store, onFailure: () => undefined });
    const first = await receive();
    const dying = run();
    await untilTrue('the first outcome', async () => (await count('MessageForwarded')) === 1);
    await dying.stop();
    // This one is handed over, and waits in vain for the log to take its claim.
    const away: EventStore = {
      ...store,
      append: (...args) =>
        args[0].startsWith('conversation-')
          ? Promise.reject(new StoreUnavailable('away'))
          : store.append(...args),
    };
    await receive();
    const stuck = run(away);
    await untilTrue('it is handed over', async () => stuck.status().position > first.position);
    await stuck.stop();
    expect(await count('MessageForwarded')).to.equal(1);
    const next = run();
    await untilTrue('the second outcome', async () => (await count('MessageForwarded')) === 2);
    await next.stop();
    expect(await count('ForwardClaimed')).to.equal(2);
  });

  it('has in its payload what the contract names, and no more', () => {
    const message = inboundMessage({
      ...thread,
      contact: { wa_id: waId, user_id: 'IN.1', profile: { name: 'Mia', username: 'mia' } },
      message: { id: 'wamid.1', type: 'text', text: { body: 'hi' } },
    });
    expect(forwardPayload(message, 0)).to.deep.equal({
      phoneNumberId,
      from: waId,
      type: 'text',
      message: message.message,
      contact: { wa_id: waId, profile: { name: 'Mia' } },
      timestamp: '1970-01-01T00:00:00.000Z',
    });
    const nfm_reply = { name: 'flow', body: 'Sent', response_json: '{"size":"42"}' };
    const answer = { id: 'wamid.2', interactive: { type: 'nfm_reply', nfm_reply } };
    const flow = { name: 'flow', response: { size: '42' } };
    const payload = forwardPayload({ ...message, message: answer }, 0);
    expect(payload.message).to.deep.equal({ ...answer, flow });
    const contactOf = (contact: Record<string, unknown> | null) =>
      (forwardPayload({ ...message, contact } as never, 0) as { contact?: unknown }).contact;
    const unnamed = { wa_id: waId, profile: { name: '' } };
    for (const bare of [{}, { wa_id: '', profile: null }]) {
      expect(contactOf(bare)).to.deep.equal(unnamed);
    }
    const odd = { wa_id: '9', profile: { name: 7 } };
    expect(contactOf(odd)).to.deep.equal({ ...unnamed, wa_id: '9' });
    expect(contactOf(null)).to.equal(undefined);
  });

  it('has the user id beside the number, or without it', () => {
    const user = { user_id: 'IN.1', profile: { name: 'Mia' } };
    const whole = { ...thread, userId: 'IN.1', contact: user };
    for (const [id, from] of Object.entries({ [waId]: waId, 'IN.1': null })) {
      const payload = forwardPayload(inboundMessage({ ...whole, waId: id }), 0);
      const contact = { wa_id: from, ...user };
      expect(payload).to.deep.include({ from, contactUserId: 'IN.1', contact });
    }
  });
});
