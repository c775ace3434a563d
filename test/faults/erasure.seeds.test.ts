import { expect } from 'chai';
import fc from 'fast-check';
import { accountDecider } from '../../src/commands/account/account.ts';
import { standardPlan } from '../../src/commands/pricing/pricing.ts';
import { erasureDecider } from '../../src/commands/privacy/erasure.ts';
import {
  conversationIdOf,
  conversationStream,
  MessageReceived,
} from '../../src/events/conversation.ts';
import { encode, versionOf } from '../../src/events/index.ts';
import { opened } from '../../src/events/opened.ts';
import { NO_STREAM, type Recorded, START } from '../../src/events/store.ts';
import { createDataSubjects } from '../../src/keys/data-subjects.ts';
import { projections } from '../../src/projections/all.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { ACCOUNT, createErasureSimulation, PHONE } from '../support/erasure-simulation.ts';
import { seeded } from '../support/faults/random.ts';
import { checkInvariants } from '../support/invariants/invariants.ts';
import { refOfMessage } from '../support/message-refs.ts';
import { openedAnew } from '../support/opened-anew.ts';
import { needlesOf } from '../support/privacy/needles.ts';
import { intent, NOW } from '../support/samples.ts';
import { untilTrue } from '../support/until.ts';

// Two instances write to and hear from contacts while one of these is erased. Chance says whose step
// comes next: at the store of keys, at the log, at the provider and at the read models. At any step the
// instance that erases may end, and another one goes on.

const [MIA, TOM] = ['919812345678', '4915112345678'] as const;
const USER_ID = 'IN.1349120865530274';
const sender = {
  phoneNumberId: PHONE,
  wabaId: '2001',
  accessToken: 't',
  messagesPerSecond: 80,
};

/** What one instance does: a contact writes, is written to, or the provider reports on a message. */
interface Step {
  instance: 0 | 1;
  contact: string;
  kind: 'inbound' | 'send' | 'status';
  /** Whether the provider shows the user id, too. */
  shows: boolean;
  /** Steps of others that may come before the next one begins. */
  pause: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  instance: fc.constantFrom(0 as const, 1 as const),
  contact: fc.constantFrom(MIA, MIA, TOM),
  kind: fc.constantFrom('inbound' as const, 'send' as const, 'send' as const, 'status' as const),
  shows: fc.boolean(),
  pause: fc.nat(6),
});

const scenario = fc.record({
  steps: fc.array(step, { minLength: 4, maxLength: 24 }),
  /** The steps before which an erasure is asked for. */
  erasures: fc.uniqueArray(fc.nat(23), { minLength: 1, maxLength: 3 }),
  /** The event after which the first instance ends, and how many turns later. */
  crash: fc.option(
    fc.record({
      after: fc.constantFrom('MessageSent', 'ErasureRequested', 'ContactErased', 'ErasureStarted'),
      turns: fc.nat(30),
    }),
  ),
  rebuilds: fc.boolean(),
  seed: fc.integer(),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;
type Simulation = Awaited<ReturnType<typeof createErasureSimulation>>;
type Instance = ReturnType<Simulation['boot']>;

const textOf = (number: number) => `secret-${number}-`;

/** The steps that instances take. */
const createSteps = ({ log, ids, accepted }: Simulation) => {
  const receive = async (by: Instance, number: number, { contact, shows }: Step) => {
    const context = { requestId: `r-${number}` };
    const userId = shows && contact === MIA ? USER_ID : null;
    const seen = { accountId: ACCOUNT, phoneNumberId: PHONE, waId: contact, userId };
    const subject = (await by.contacts.meet(seen, context))!;
    const own = { accountId: ACCOUNT, phoneNumberId: PHONE, contactRef: subject.ref };
    const text = textOf(number);
    const fact = MessageReceived.of({
      ...own,
      waId: contact,
      userId,
      wabaId: '2001',
      displayPhoneNumber: '15550100001',
      contact: { wa_id: contact },
      contactName: text,
      text,
      messageRef: refOfMessage(`wamid.${number}`),
      messageType: 'image',
      mediaId: `media.${number}`,
      receivedAt: isoTime(NOW),
      message: { id: `wamid.${number}`, image: { mime_type: 'image/png' }, text },
    });
    const stream = conversationStream(conversationIdOf(own));
    const event = {
      id: ids.uuid(),
      type: fact.type,
      version: versionOf(fact.type),
      data: encode(fact, [subject]),
      meta: { at: isoTime(NOW), ...context },
    };
    for (;;) {
      const [last] = await log.read(stream, { direction: 'backwards', limit: 1 });
      const appended = by.readable.append(stream, last?.revision ?? NO_STREAM, [event]);
      if (await appended.then(() => true).catch(() => false)) return;
    }
  };

  const send = (by: Instance, number: number, { contact }: Step) => {
    const content = intent().content;
    const outgoing = { sender, content, details: { template: null } };
    const words = { ...intent({ to: contact, text: textOf(number) }) };
    const draft = {
      category: 'UTILITY' as const,
      reason: 'order_shipped',
      intent: words,
      outgoing,
    };
    return by.transmitter.transmit(draft, { requestId: `r-${number}`, accountId: ACCOUNT });
  };

  /** Of a message that the provider has accepted, whoever has sent it. */
  const report = (by: Instance, number: number, { contact, shows }: Step) => {
    const own = accepted.filter(({ to }) => to === contact);
    const message = own[number % own.length];
    if (!message) return undefined;
    const { messageId, chargeId } = message;
    const userId = shows && contact === MIA ? { recipientUserId: USER_ID } : {};
    return by.statuses.record(
      {
        messageRef: refOfMessage(messageId),
        messageId,
        chargeId,
        accountId: ACCOUNT,
        phoneNumberId: PHONE,
        ...userId,
        status: 'failed',
        statusAt: isoTime(NOW),
        recipientWaId: contact,
        pricing: null,
        errorCode: '1',
        errorMessage: textOf(number),
      },
      { requestId: `r-${number}`, accountId: ACCOUNT },
    );
  };
  const kinds = { inbound: receive, send, status: report };
  return async (by: Instance, number: number, one: Step): Promise<unknown> =>
    kinds[one.kind](by, number, one);
};

const play = async ({ steps, erasures, crash, rebuilds, seed }: Scenario): Promise<void> => {
  const random = seeded(seed);
  const simulation = await createErasureSimulation(random);
  const { log, files, turns, keys, wrapping, clock } = simulation;
  const take = createSteps(simulation);
  let first = simulation.boot();
  const second = simulation.boot();
  let working = await simulation.work(first);
  /** Whose work that is: after a crash, the next one begins a little later than it boots. */
  let worker = first;

  let isOver = false;
  const going = (async () => {
    while (!isOver) await turns.some(1);
  })();
  const on = { requestId: 'r', accountId: ACCOUNT };
  const terms = { planId: standardPlan.planId, billing: 'credits', currency: 'USD' } as const;
  const opening = { organisationId: 'org_1', name: 'Shop', terms };
  const account = accountDecider(ACCOUNT);
  const open = { type: 'Open' as const, accountId: ACCOUNT, ...opening };
  await first.writer.execute(account, ACCOUNT, open, on);
  const money = { amount: 1000, reason: null, by: null, at: clock.now() };
  await first.writer.execute(account, ACCOUNT, { type: 'GrantCredits', ...money }, on);

  const failed: Error[] = [];
  const work: Promise<unknown>[] = [];
  /** Work of an instance that ends is over with it. */
  const start = (by: Instance, run: () => Promise<unknown>) => {
    const { signal } = by.life.end;
    const ended = new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve());
      if (signal.aborted) resolve();
    });
    work.push(Promise.race([run().catch((error) => void failed.push(error)), ended]));
  };
  const erase = async (by: Instance, number: number): Promise<void> => {
    const found = await Promise.all([MIA, USER_ID].map((id) => by.subjects.refOf(ACCOUNT, id)));
    const own = found.flatMap((ref) => (ref === undefined ? [] : [{ accountId: ACCOUNT, ref }]));
    const request = { erasureId: `era_${number}`, accountId: null, reason: null, subjects: own };
    const command = { type: 'Request' as const, request };
    await by.writer.execute(erasureDecider, request.erasureId, command, { requestId: 'r' });
  };
  const read = async () => (await log.readAll(START, 1_000)).events;
  let areTaken = false;
  const crashing = async () => {
    if (!crash) return;
    const hasCome = async () => (await read()).some(({ type }) => type === crash.after);
    while (!areTaken && !(await hasCome())) await new Promise(setImmediate);
    for (let left = crash.turns; left > 0; left -= 1) await new Promise(setImmediate);
    simulation.kill(first);
    first = simulation.boot();
    working = await simulation.work(first);
    worker = first;
  };
  const crashed = crashing();
  for (const [number, one] of steps.entries()) {
    const by = () => (one.instance === 0 ? first : second);
    if (erasures.some((place) => place % steps.length === number)) {
      const eraser = by();
      start(eraser, () => erase(eraser, number));
    }
    if (rebuilds && number === 2) start(worker, () => working.engine.rebuild('messages'));
    const actor = by();
    start(actor, () => take(actor, number, one));
    for (let left = one.pause; left > 0; left -= 1) await new Promise(setImmediate);
  }
  await Promise.all(work);
  areTaken = true;
  await crashed;
  await Promise.all(work);
  // A contact that is erased again and again may be told to come back.
  const refusals = ['KeysUnavailable', 'Rejected'];
  expect(failed.filter(({ name }) => !refusals.includes(name))).to.deep.equal([]);
  await untilTrue('every erasure is done', async () => {
    const types = (await read()).map(({ type }) => type);
    const count = (wanted: string) => types.filter((type) => type === wanted).length;
    return count('ErasureDone') === count('ErasureRequested');
  });
  await working.engine.reader.reached(projections, await log.head());
  await untilTrue('no rebuild is left', async () =>
    (await working.engine.status()).every(({ rebuild }) => rebuild === null),
  );

  const stored: Recorded[] = await read();
  const destroyed = new Set(
    stored.flatMap(({ type, data }) =>
      type === 'ContactErased' ? (data as { refs: string[] }).refs : [],
    ),
  );
  // A reader that has never seen a key: what a rebuild after a restart has.
  const later = createDataSubjects({ keys: keys.open(), wrapping, clock });
  const { events } = await opened(log, later.ring).readAll(START, 1_000);
  for (const { data, isErased, sealedMonth, type } of events) {
    const { contactRef } = data as { contactRef?: string };
    if (sealedMonth === undefined || contactRef === undefined) continue;
    expect(isErased ?? false, `${type} of ${contactRef}`).to.equal(destroyed.has(contactRef));
  }
  // What was written about the erased contact before, and nothing of what came later.
  const gone = stored.flatMap(({ data, meta, sealed }) => {
    const { contactRef = '' } = data as { contactRef?: string };
    const number = /^r-(\d+)$/.exec(meta.requestId)?.[1];
    return sealed !== undefined && destroyed.has(contactRef) && number !== undefined
      ? [textOf(Number(number))]
      : [];
  });
  const needles = needlesOf([...new Set(gone)].map((text) => ({ name: text, text })));
  const store = openedAnew(log, keys.open());
  const erased = [{ needles, answers: 0 }];
  const checked = { store, views: files, erased };
  expect(await checkInvariants(checked, { mayBeOpen: true })).to.deep.equal([]);

  for (const { life, following } of [first, second]) {
    life.end.abort();
    void following;
  }
  for (const reactor of working.reactors) await reactor.stop();
  isOver = true;
  await going;
  await turns.all();
  await working.engine.stop();
  await simulation.close();
};

describe('Erasures while others write @series', () => {
  it('row 45: leave nothing that a later reader could open, and documents as a rebuild makes them', () =>
    fc.assert(fc.asyncProperty(scenario, play), { numRuns: 12, endOnFailure: true }));
});
