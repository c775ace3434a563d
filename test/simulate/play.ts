import type { KnownEvent } from '../../src/events/index.ts';
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
import { type Asked, createModel, type Model } from './model.ts';
import { CONTACTS, type Command, type Planned } from './plan.ts';
import { isOfBot, startOf } from './tenants.ts';
import { createWorld, type Form, type SimulatedWorld } from './world.ts';

/** What came of one seed. */
export interface Played {
  steps: number;
  commands: number;
  crashes: number;
  problems: string[];
}

/** How often a caller with a key asks again. */
const ASKED_AGAIN = 3;
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
      const raw = Buffer.from(JSON.stringify(payload));
      const headers = { 'x-hub-signature-256': signatureOf(raw, APP_SECRET) };
      const { status } = await call('POST', '/provider/webhook', { raw, headers });
      if (status !== 200) undelivered.push(payload);
    });

  const reserved = () =>
    (world.log.events as KnownEvent[]).filter((event) => event.type === 'ChargeReserved');
  /** Charges with neither a message nor a refund. */
  const openCharges = () => {
    const open = new Map(reserved().map((event) => [event.data.chargeId, event]));
    for (const { type, data } of world.log.events as KnownEvent[]) {
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
    send({ tenant, to, key, hangUpAfter }) {
      const controller = new AbortController();
      // One key is always sent with the same body.
      const orderId = key === null ? text() : `secret-of-key-${key}-`;
      const variables = { orderId, awbCode: 'AWB1', trackingLink: 'https://shop.example/t/1' };
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
      const variables = { orderId: 'B-1', awbCode: 'A', trackingLink: 'https://shop.example/t' };
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
    boot() {
      if (world.form === 'servers' && world.instances.length < 3) world.boot();
    },
    away: ({ store }) => world.setAway(store, true),
    back() {
      for (const store of ['log', 'views', 'keys'] as const) world.setAway(store, false);
    },
    'lose replies': ({ isOn }) => world.setLosing(isOn && world.form === 'servers'),
    sleep: ({ ms }) => runtime.sleep(ms),
  };
  return {
    /** Asks each key that stood with an answer once more, but where an erasure has taken answers. */
    repeat() {
      if (world.log.events.some(({ type }) => type === 'ContactErased')) return;
      const asked = new Map(
        world.answers.flatMap((one) =>
          one.idempotencyKey === undefined || one.status === null || one.status >= 300
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
    deliverAgain() {
      const again = undelivered;
      undelivered = [];
      again.forEach(deliver);
    },
    areDelivered: () => undelivered.length === 0,
    /** Messages that customers wrote. */
    written: () => inbound.length,
  };
};

const areErased = ({ log }: SimulatedWorld): boolean => {
  const count = (wanted: string) => log.events.filter(({ type }) => type === wanted).length;
  return count('ErasureDone') === count('ErasureRequested');
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
  world.note('peace');
  acts.act({ do: 'back' });
  world.setLosing(false);
  world.provider.setCalm(true);
  if (instances.length === 0) world.boot();
  if (!(await wait('a process is up', () => instances.every(({ isUp }) => isUp)))) return problems;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round < ROUNDS - 1) acts.deliverAgain();
    if (!(await wait('every call has an answer', acts.isQuiet))) return problems;
    runtime.sleep(LONG_MS);
    const from = runtime.elapsed();
    await wait('time passes', () => runtime.elapsed() > from + ROUND_MS);
  }
  acts.repeat();
  await wait('every key has its answer', acts.isQuiet);
  await wait('every erasure is done', () => areErased(world));
  await wait('the read models have seen the log', world.areRead);
  if (!acts.areDelivered()) problems.push('L the provider could not deliver a notification');
  return problems;
};

const erasedRefs = ({ log }: SimulatedWorld): ReadonlySet<string> =>
  new Set(
    (log.events as KnownEvent[]).flatMap(({ type, data }) =>
      type === 'ContactErased' ? data.refs : [],
    ),
  );

/** Nobody who was erased has a data key. */
const keysLeft = (world: SimulatedWorld): string[] => {
  const destroyed = erasedRefs(world);
  const { keys = [] } = world.contents();
  return keys.flatMap(({ subject: { ref } }) =>
    destroyed.has(ref) ? [`I14 ${ref} is erased, and has a data key`] : [],
  );
};

/** Texts that stood in what was written about contacts whose keys are destroyed. */
const goneTexts = async (world: SimulatedWorld): Promise<string[]> => {
  const destroyed = erasedRefs(world);
  if (destroyed.size === 0) return [];
  const requests = new Map(world.answers.map((one) => [one.requestId, one]));
  return world.log.events.flatMap(({ data, meta }) => {
    const { contactRef = '', sealed } = data as { contactRef?: string; sealed?: string };
    const asked = requests.get(meta.requestId);
    if (!destroyed.has(contactRef) || sealed === undefined || !asked) return [];
    return JSON.stringify(asked.sent ?? null).match(/secret-\d+-/g) ?? [];
  });
};

/** What the provider took is never given back as a message that was not sent. */
const wronglyBack = ({ log, provider }: SimulatedWorld): string[] => {
  const taken = new Set(provider.accepted.map(({ chargeId }) => chargeId));
  return (log.events as KnownEvent[]).flatMap(({ type, data }) =>
    type === 'ChargeRefunded' && data.cause === 'not_sent' && taken.has(data.chargeId)
      ? [`I8 charge ${data.chargeId}: given back as not sent, and the provider has taken it`]
      : [],
  );
};

/** A bot sends what a turn says that is in the log by then, and nothing else. */
const unsaidByBots = ({ log, provider }: SimulatedWorld): string[] =>
  provider.accepted
    .filter(({ content }) => isOfBot(content))
    .flatMap(({ messageId, after }, before) => {
      const said = log.events.slice(0, after).filter(({ type }) => type === 'BotActionStarted');
      const sent = before + 1;
      if (sent <= said.length) return [];
      return [`B ${messageId} is message ${sent} of bots, and ${said.length} were in their turns`];
    });

/** What a customer wrote is in the log, once, however often the provider tells of it. */
const notReceived = ({ log }: SimulatedWorld, written: number): string[] => {
  const received = log.events.filter(({ type }) => type === 'MessageReceived').length;
  return received === written ? [] : [`B ${written} messages of customers, ${received} in the log`];
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
    if (command.do === 'sleep' && command.isIdle) await runtime.until(acts.isQuiet, IDLE_STEPS_MAX);
    acts.act(command);
    await runtime.some(pause);
    if (model) {
      const isOver = () => acts.isQuiet() && areErased(world) && world.areRead() && model.isEven();
      await runtime.until(isOver, 5_000);
    }
    await checkCrash();
  }
  acts.end();
  if (problems.length === 0) problems.push(...(await recover(world, acts)));
  if (model) problems.push(...model.check());
  problems.push(...wronglyBack(world), ...unsaidByBots(world), ...keysLeft(world));
  if (problems.length === 0) problems.push(...notReceived(world, acts.written()));
  if (problems.length === 0) {
    const needles = needlesOf((await goneTexts(world)).map((text) => ({ name: text, text })));
    world.erased.push({ needles, answers: world.answers.length });
    await check(false);
  }
  for (const one of [...world.instances]) world.kill(one);
  for (const problem of problems) world.note(`VIOLATION ${problem}`);
  return { steps: runtime.steps(), commands: planned.length, crashes: acts.crashes(), problems };
};
