import { signatureOf } from '../../src/provider/webhook/webhook.ts';
import { needlesOf } from '../support/privacy/needles.ts';
import { inboundPayload } from '../support/surface.ts';
import {
  ADMIN_TOKEN,
  type Answer,
  APP_SECRET,
  type Json,
  orderShipped,
  statusPayload,
  type Tenant,
} from '../support/waybill.ts';
import { checkNothingLost, checkOrderOfWork, erasedRefs, goneTexts, type Taken } from './checks.ts';
import { type Asked, createModel, type Model } from './model.ts';
import { CONTACTS, type Command, type Planned } from './plan.ts';
import { startOf } from './tenants.ts';
import { createWorld, type Form, type SimulatedWorld } from './world.ts';

/** What came of one seed. */
export interface Played {
  steps: number;
  commands: number;
  crashes: number;
  problems: string[];
}

const LINK = 'https://shop.example/t/1';
/** How often a caller with a key asks again. */
const ASKED_AGAIN = 3;
/** How often somebody tries to start a job, which must be checked first. */
const JOB_STARTS = 6;
/** A store may be away, so that what is under way does not end. */
const IDLE_STEPS_MAX = 500;
const STEPS_MAX = 60_000;
/** Longer than any send can take, and than the age at which a reservation is given back. */
const LONG_MS = 40 * 60_000;
/** Sweeps at the end, and the time that one of them takes. */
const ROUNDS = 4;
const ROUND_MS = 1_000;

/** Does the commands of a plan. Nothing waits for what it begins. */
const createActs = (world: SimulatedWorld, tenants: readonly Tenant[], model?: Model) => {
  const { runtime, provider, call } = world;
  /** Calls without an answer yet. */
  let open = 0;
  let texts = 0;
  let crashes = 0;
  let isOver = false;
  /** What the provider could not deliver, and delivers again. */
  let undelivered: Json[] = [];
  /** What the provider was told is taken in. */
  const taken: Taken[] = [];
  /** The requests that told of each thing. */
  const tries = new Map<string, Set<string>>();
  const inbound: Json[] = [];
  const start = (work: () => Promise<unknown>): void => {
    open += 1;
    void work().finally(() => {
      open -= 1;
    });
  };
  const text = () => {
    texts += 1;
    return `secret-${texts}-`;
  };
  const keyed = (key: number | null) =>
    key === null ? {} : { headers: { 'idempotency-key': `key-${key}` } };

  /** Asks, and with a key asks again where it has no answer that stands. */
  const ask = (key: number | null, once: () => Promise<Answer>): void =>
    start(async () => {
      for (let left = key === null ? 0 : ASKED_AGAIN; ; left -= 1) {
        const { status } = await once();
        const isOpen = status === null || status === 409 || status >= 500;
        if (!isOpen || left === 0) return;
        const pause = Math.floor(runtime.random() * 80);
        await new Promise<void>((resolve) => runtime.afterSteps(pause, resolve));
      }
    });

  /** A request whose answer the model foresees. */
  const foreseen = (asked: Asked, once: () => Promise<Answer>) => async (): Promise<Answer> => {
    const from = provider.told.length;
    const begunAt = runtime.elapsed();
    const answer = await once();
    const tookMs = runtime.elapsed() - begunAt;
    model?.answered(asked, answer, provider.told.slice(from), tookMs);
    return answer;
  };

  const deliver = (payload: Json): void =>
    start(async () => {
      const whole = JSON.stringify(payload);
      const raw = Buffer.from(whole);
      const headers = { 'x-hub-signature-256': signatureOf(raw, APP_SECRET) };
      const own = tries.get(whole) ?? new Set();
      tries.set(whole, own);
      const answering = call('POST', '/provider/webhook', { raw, body: payload, headers });
      const { requestId } = world.answers.at(-1)!;
      own.add(requestId);
      const { status } = await answering;
      if (status === 200) taken.push({ payload, requestId, tries: own });
      else undelivered.push(payload);
    });

  const deliverAgain = () => {
    const again = undelivered;
    undelivered = [];
    again.forEach(deliver);
  };

  const reserved = () => world.facts().filter((event) => event.type === 'ChargeReserved');
  /** Charges with neither a message nor a refund. */
  const openCharges = () => {
    const open = new Map(reserved().map((event) => [event.data.chargeId, event]));
    for (const { type, data } of world.facts()) {
      if (type === 'MessageSent' || type === 'ChargeRefunded') open.delete(data.chargeId);
    }
    return open;
  };

  const tell = (
    place: Parameters<typeof statusPayload>[0],
    update: { id: string; status: string; chargeId: string; recipient: string },
  ): void =>
    deliver(
      statusPayload(place, {
        ...update,
        recipient: update.recipient.replace('+', ''),
        timestamp: String(Math.floor(runtime.clock.now() / 1000)),
        ...(update.status === 'failed' && { errors: [{ code: 131_026, title: 'Undeliverable' }] }),
      }),
    );

  const acts: { [Do in Command['do']]: (command: Extract<Command, { do: Do }>) => void } = {
    schedule({ tenant, to, inMs }) {
      const sendAt = new Date(runtime.clock.now() + inMs).toISOString();
      const variables = { orderId: text(), awbCode: 'AWB1', trackingLink: LINK };
      const body = orderShipped({ to: `+${CONTACTS[to]}`, variables, sendAt });
      start(() => call('POST', '/v1/notifications/send', { token: tenants[tenant]!.apiKey, body }));
    },
    job({ tenant, to }) {
      const { apiKey: token } = tenants[tenant]!;
      const names = { orderId: 'orderId', awbCode: 'awbCode', trackingLink: 'trackingLink' };
      const columns = { to: 'phone', variables: names };
      const variables = { orderId: 'J-1', awbCode: 'A', trackingLink: LINK };
      const rows = to.map((one) => ({ phone: `+${CONTACTS[one]}`, ...variables }));
      const body = { event: 'order_shipped', columns, rows };
      start(async () => {
        const { status, body: job } = await call('POST', '/v1/jobs', { token, body });
        for (let left = JOB_STARTS; status === 201 && left > 0; left -= 1) {
          await new Promise<void>((resolve) => runtime.afterSteps(40, resolve));
          const started = await call('POST', `/v1/jobs/${job.id}/start`, { token });
          if (started.status !== null && started.status < 300) return;
        }
      });
    },
    send({ tenant, to, key, hangUpAfter }) {
      const controller = new AbortController();
      // One key is always sent with the same body.
      const orderId = key === null ? text() : `secret-of-key-${key}-`;
      const variables = { orderId, awbCode: 'AWB1', trackingLink: LINK };
      const body = orderShipped({ to: `+${CONTACTS[key ?? to]}`, variables });
      const asked = { kind: 'notification' as const, tenant, to: [key ?? to], key };
      const { signal } = controller;
      const how = { token: tenants[tenant]!.apiKey, body, signal, ...keyed(key) };
      ask(
        key,
        foreseen(asked, () => call('POST', '/v1/notifications/send', how)),
      );
      if (hangUpAfter !== null) {
        runtime.afterSteps(hangUpAfter, () => controller.abort());
      }
    },
    text({ tenant, to, key }) {
      const { apiKey: token } = tenants[tenant]!;
      const words = { body: key === null ? text() : `secret-of-key-${key}-` };
      const body = { to: `+${CONTACTS[key ?? to]}`, type: 'text', text: words };
      ask(
        key,
        foreseen({ kind: 'text', tenant, to: [key ?? to], key }, () =>
          call('POST', '/v1/messages/send', { token, body, ...keyed(key) }),
        ),
      );
    },
    batch({ tenant, to, key }) {
      const { apiKey: token } = tenants[tenant]!;
      const variables = { orderId: 'B-1', awbCode: 'A', trackingLink: LINK };
      const recipients = to.map((one) => ({ to: `+${CONTACTS[one]}`, variables }));
      const body = { event: 'order_shipped', recipients };
      ask(
        key,
        foreseen({ kind: 'batch', tenant, to, key }, () =>
          call('POST', '/v1/notifications/send/batch', { token, body, ...keyed(key) }),
        ),
      );
    },
    status({ nth, word }) {
      const open = openCharges();
      const unrecorded = provider.accepted.filter(({ chargeId }) => open.has(chargeId));
      const all = unrecorded.length > 0 && nth % 2 === 0 ? unrecorded : provider.accepted;
      const message = all.at(-1 - nth) ?? all.at(-1);
      if (!message) return;
      const { messageId, chargeId, to, phoneNumberId, wabaId } = message;
      model?.told(messageId, word);
      tell({ phoneNumberId, wabaId }, { id: messageId, status: word, chargeId, recipient: to });
    },
    forge({ after, nth, message, word }) {
      world.when(after === null ? null : 'ChargeReserved', after ?? 0, () => {
        const open = [...openCharges().values()];
        const charge = open.at(-1 - nth) ?? open.at(-1) ?? reserved().at(-1);
        const asked = world.answers.find(({ requestId }) => requestId === charge?.meta.requestId);
        const place = tenants.find(({ accountId }) => accountId === charge?.data.accountId);
        if (!charge || !place || asked?.sent?.to === undefined) return;
        const { chargeId } = charge.data;
        const id = `wamid.forged.${message}`;
        tell(place, { id, status: word, chargeId, recipient: asked.sent.to });
      });
    },
    inbound({ tenant, from, again }) {
      const last = inbound.at(-1);
      if (again && last) return deliver(last);
      const message = { id: `wamid.IN${inbound.length}`, from: CONTACTS[from]!, body: text() };
      const payload = inboundPayload(tenants[tenant]!, { ...message, at: runtime.clock.now() });
      inbound.push(payload);
      model?.heard(tenant, from);
      deliver(payload);
    },
    read({ tenant, what }) {
      const { apiKey: token } = tenants[tenant]!;
      start(() => call('GET', `/v1/${what}`, { token }));
    },
    erase({ contact }) {
      const body = { contact: `+${CONTACTS[contact]}` };
      model?.erased(contact);
      start(() => call('POST', '/admin/v1/erasures', { token: ADMIN_TOKEN, body }));
    },
    crash({ nth, when, after }) {
      world.when(when, after, () => {
        const { instances } = world;
        const one = instances[nth % instances.length];
        if (!one || isOver) return;
        crashes += 1;
        world.kill(one);
        if (instances.length === 0) world.boot();
      });
    },
    freeze({ nth, ms, when, after }) {
      world.when(when, after, () => {
        const one = world.instances[nth % world.instances.length];
        if (one && !isOver) world.freeze(one, ms);
      });
    },
    boot() {
      if (world.form === 'servers' && world.instances.length < 3) world.boot();
    },
    away: ({ store }) => world.setAway(store, true),
    back() {
      for (const store of ['log', 'views', 'keys'] as const) world.setAway(store, false);
      deliverAgain();
    },
    'lose replies': ({ isOn }) => world.setLosing(isOn && world.form === 'servers'),
    sleep: ({ ms, when, after }) => world.when(when, after, () => runtime.sleep(ms)),
  };
  return {
    /** Asks each key once more that has an answer or of which it is not known, but where an erasure has taken answers. */
    repeat() {
      if (world.log.events.some(({ type }) => type === 'ContactErased')) return;
      const asked = new Map(
        world.answers.flatMap((one) =>
          one.idempotencyKey === undefined ||
          (one.status !== null && one.status < 500 && one.status >= 300)
            ? []
            : [[`${one.token} ${one.path} ${one.idempotencyKey}`, one]],
        ),
      );
      for (const { method, path, token, sent: body, idempotencyKey } of asked.values()) {
        const headers = { 'idempotency-key': idempotencyKey! };
        start(() => call(method, path, { token, body, headers }));
      }
    },
    act: (command: Command) => acts[command.do](command as never),
    crashes: () => crashes,
    /** Nothing crashes any more. */
    end() {
      isOver = true;
    },
    isQuiet: () => open === 0,
    areDecided: () => openCharges().size === 0,
    deliverAgain,
    taken,
    areDelivered: () => undelivered.length === 0,
    /** Messages that customers wrote. */
    written: () => inbound.length,
  };
};

const areErased = ({ log }: SimulatedWorld): boolean => {
  const count = (wanted: string) => log.events.filter(({ type }) => type === wanted).length;
  return count('ErasureDone') === count('ErasureRequested');
};

const JOB_RESTS = new Set(['JobUnusable', 'JobChecked', 'JobPaused', 'JobFinished']);

/** Whether every scheduled send has ended, but for those of erased contacts, and no job is checked or run. */
const areOver = (world: SimulatedWorld): boolean => {
  const destroyed = erasedRefs(world);
  const open = new Set<string>();
  for (const { type, data, stream } of world.facts()) {
    if (type === 'JobCreated' || type === 'JobStarted') open.add(stream);
    if (type === 'SendScheduled' && !destroyed.has(data.contactRef)) open.add(stream);
    if (type === 'ScheduleEnded' || JOB_RESTS.has(type)) open.delete(stream);
  }
  return open.size === 0;
};

/** Waits with everything at its place: what is open is decided, what was asked for is done. */
const recover = async (
  world: SimulatedWorld,
  acts: ReturnType<typeof createActs>,
): Promise<string[]> => {
  const { runtime, instances } = world;
  const problems: string[] = [];
  const wait = async (what: string, holds: () => boolean) => {
    if (!(await runtime.until(holds, STEPS_MAX))) problems.push(`L in vain: ${what}`);
    return problems.length === 0;
  };
  const pass = async () => {
    runtime.sleep(LONG_MS);
    const from = runtime.elapsed();
    await wait('time passes', () => runtime.elapsed() > from + ROUND_MS);
  };
  world.note('peace');
  acts.act({ do: 'back' });
  world.setLosing(false);
  world.provider.setCalm(true);
  if (instances.length === 0) world.boot();
  for (const { life } of instances) runtime.thaw(life);
  if (!(await wait('a process is up', () => instances.every(({ isUp }) => isUp)))) return problems;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round < ROUNDS - 1) acts.deliverAgain();
    if (!(await wait('every call has an answer', acts.isQuiet))) return problems;
    await pass();
  }
  await wait('every scheduled send and every job is over', () => areOver(world));
  acts.repeat();
  await wait('every key has its answer', acts.isQuiet);
  // One that was sent only now may be left to the sweep, too.
  await pass();
  // A lease that has moved puts a sweep off.
  await wait('every charge has its message or its refund', acts.areDecided);
  await wait('every erasure is done', () => areErased(world));
  await wait('the read models have seen the log', world.areRead);
  if (!acts.areDelivered()) problems.push('L the provider could not deliver a notification');
  return problems;
};

export interface How {
  form: Form;
  /** Nothing fails but sends, one thing happens after the other, and a model foresees the answers. */
  isCalm?: boolean;
  trace?: ((line: string) => void) | undefined;
}

export const play = async (
  seed: number,
  planned: readonly Planned[],
  { form, isCalm = false, trace }: How,
): Promise<Played> => {
  const { contents, tenants } = await startOf(form);
  const world = createWorld(seed, form, { contents, trace });
  const { runtime } = world;
  const model = isCalm ? createModel(world, tenants) : undefined;
  const acts = createActs(world, tenants, model);
  world.provider.setCalm(false);
  const problems: string[] = [];
  world.boot();
  if (form === 'servers') world.boot();
  await runtime.until(() => world.instances.every(({ isUp }) => isUp), STEPS_MAX);
  const check = async (mayBeOpen: boolean) => {
    const found = world.problems({ mayBeOpen });
    // What no rule allows may also be what the checker cannot read.
    problems.push(...(await found.catch((error: Error) => [`the checker fails: ${error.stack}`])));
  };
  let checked = 0;
  /** After a crash, once another process has recovered and nobody waits for an answer. */
  const checkCrash = async () => {
    if (acts.crashes() === checked || world.isAnyAway()) return;
    const isWell = () => world.instances.every(({ isUp }) => isUp) && acts.isQuiet();
    const isSettled = () => areErased(world) && world.areRead();
    const isThere = await runtime.until(() => isWell() && isSettled(), IDLE_STEPS_MAX);
    if (!isThere) return;
    checked = acts.crashes();
    world.note('checked after a crash');
    await check(true);
  };
  for (const { command, pause } of planned) {
    world.note(`command: ${JSON.stringify(command)}`);
    if (command.do === 'sleep' && command.isIdle && command.when === null)
      await runtime.until(acts.isQuiet, IDLE_STEPS_MAX);
    acts.act(command);
    await runtime.some(pause);
    if (model) {
      const isOver = () => acts.isQuiet() && areErased(world) && world.areRead() && model.isEven();
      await runtime.until(isOver, STEPS_MAX);
    }
    await checkCrash();
  }
  acts.end();
  if (problems.length === 0) problems.push(...(await recover(world, acts)));
  if (model) problems.push(...model.check());
  problems.push(...checkOrderOfWork(world, acts.taken));
  if (problems.length === 0)
    problems.push(...(await checkNothingLost(world, tenants, acts.written())));
  if (problems.length === 0) {
    const needles = needlesOf((await goneTexts(world)).map((text) => ({ name: text, text })));
    world.erased.push({ needles, answers: world.answers.length });
    for (const what of ['messages', 'conversations']) {
      for (const tenant of tenants.keys()) {
        acts.act({ do: 'read', tenant, what: `${what}?limit=100` });
      }
    }
    const isRead = await runtime.until(() => acts.isQuiet() && world.areRead(), STEPS_MAX);
    if (!isRead) problems.push('L in vain: every list has an answer');
    await check(false);
  }
  for (const one of [...world.instances]) world.kill(one);
  for (const problem of problems) world.note(`VIOLATION ${problem}`);
  return { steps: runtime.steps(), commands: planned.length, crashes: acts.crashes(), problems };
};
