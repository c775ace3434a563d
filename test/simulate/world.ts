import { loadConfig } from '../../src/config.ts';
import { BUCKETS } from '../../src/events/bucket.ts';
import { decode, type KnownEvent } from '../../src/events/index.ts';
import { type NewEvent, type Recorded, StoreUnavailable } from '../../src/events/store.ts';
import { createMetrics } from '../../src/http/ops/metrics.ts';
import { type KeyStore, KeysUnavailable } from '../../src/keys/key-store.ts';
import { type Coordination, createAlone } from '../../src/projections/coordination.ts';
import { createLeases, createProcessLeases } from '../../src/projections/mongodb/lease.ts';
import { ViewsUnavailable } from '../../src/projections/views.ts';
import { compose } from '../../src/run.ts';
import type { Service } from '../../src/service/service.ts';
import type { Ids } from '../../src/shared/clock.ts';
import { fixedKey } from '../../src/shared/installation-key.ts';
import type { Logger } from '../../src/shared/logger.ts';
import { adviceIn } from '../support/advice.ts';
import type { Erased } from '../support/invariants/erased.ts';
import { type CheckOptions, checkInvariants } from '../support/invariants/invariants.ts';
import { type RecordedAnswer, recordAnswers } from '../support/invariants/recorder.ts';
import { createMemoryKeys } from '../support/key-store.ts';
import { SECRET } from '../support/message-refs.ts';
import { createFakeMongo } from '../support/mongodb/fake.ts';
import { openedAnew } from '../support/opened-anew.ts';
import { type Answer, type Call, environmentOf, PROVIDER } from '../support/waybill.ts';
import { exchange } from './http.ts';
import { createMemoryLog, type Way } from './log.ts';
import { createSimulatedProvider } from './provider.ts';
import { createLife, createRuntime, type Life } from './runtime.ts';
import { createMemoryViews, type MemoryViews } from './views.ts';

/** How the stores are shared: one process over files, or several over servers. */
export type Form = 'embedded' | 'servers';

const CONFIG = loadConfig(environmentOf({ directory: 'none', providerUrl: PROVIDER }));

/** A call of a store that takes longer has failed, as its adapter would say. */
const CALL_TIMEOUT_MS = 20_000;
/** No process is frozen for longer between the provider's word and the record of its message. */
const RECORD_AFTER_MS = 25_000;

const away = {
  log: () => new StoreUnavailable('the log is away'),
  views: () => new ViewsUnavailable('the read models are away'),
  keys: () => new KeysUnavailable('the data keys are away'),
};
export type Store = keyof typeof away;

export interface Instance {
  life: Life;
  service: Service;
  /** Whether it answers requests. */
  isUp: boolean;
}

const seededIds = (chance: () => number): Ids => {
  let count = 0;
  const digits = (length: number, base: number) =>
    Array.from({ length }, () => Math.floor(chance() * base).toString(base)).join('');
  return {
    uuid() {
      count += 1;
      return `00000000-${count.toString(16).padStart(4, '0').slice(-4)}-7000-8000-${digits(12, 16)}`;
    },
    secret: (length) => digits(length, 36),
  };
};

/** What the stores of a world hold. */
export interface Contents {
  events: readonly Recorded[];
  views: MemoryViews['state'];
  keys: Parameters<typeof createMemoryKeys>[0];
}

/** A whole service in one process that does only what its seed says. */
export const createWorld = (
  seed: number,
  form: Form,
  { trace, contents }: { trace?: ((line: string) => void) | undefined; contents?: Contents } = {},
) => {
  const runtime = createRuntime(seed, trace);
  const { clock, random } = runtime;
  /** What somebody does once an event of this type is stored, and so many steps have followed. */
  let awaited: { type: string; steps: number; go: () => void }[] = [];
  /** What was done before the log said so. */
  const early: string[] = [];
  const log = createMemoryLog(contents?.events, (event) => {
    const { type } = event;
    if (type === 'ContactErased') {
      const { refs } = event.data as { refs: string[] };
      const left = keys.held().filter(({ subject }) => refs.includes(subject.ref));
      for (const { subject } of left)
        early.push(`I14 ${subject.ref}: erased, and has its key still`);
    }
    const due = awaited.filter((one) => one.type === type);
    awaited = awaited.filter((one) => one.type !== type);
    for (const { steps, go } of due) runtime.afterSteps(steps, go);
  });
  const decoded: KnownEvent[] = [];
  /** The events of the log as the program reads them; personal data stay closed. */
  const facts = (): readonly KnownEvent[] => {
    for (const event of log.events.slice(decoded.length)) decoded.push(decode(event) as KnownEvent);
    return decoded;
  };
  const views = createMemoryViews(form === 'servers' ? BUCKETS : 1, contents?.views);
  const keys = createMemoryKeys(contents?.keys);
  /** Refs of contacts that somebody asked to erase, in the log. */
  const areAsked = (refs: readonly string[]): boolean =>
    refs.length === 0 ||
    facts().some(
      ({ type, data }) =>
        type === 'ErasureRequested' && data.subjects.some(({ ref }) => refs.includes(ref)),
    );
  const keysOf = (life: Life): KeyStore => {
    const { to } = wayOf(life, 'keys');
    const opened = keys.open(async (isDone) => {
      await to('the data keys');
      if (isDone) lose('keys', 'the data keys');
    });
    return {
      ...opened,
      destroySubjects(refs) {
        if (!areAsked(refs)) early.push(`I14 ${refs.join(', ')}: destroyed before anybody asked`);
        return opened.destroySubjects(refs);
      },
    };
  };
  const mongo = createFakeMongo();
  const coordinationOf = (life: Life): Coordination => {
    const { to } = wayOf(life, 'views');
    const connection = mongo.connect(() => to('the leases'));
    return { ...createLeases(connection), processes: createProcessLeases(connection) };
  };
  const provider = createSimulatedProvider(runtime, () => log.events.length);
  const ids = seededIds(runtime.noise);
  const instances: Instance[] = [];
  const gone = new Set<Store>();
  let losesReplies = false;
  let booted = 0;
  const note = (line: string) => trace?.(`                    -- ${line}`);

  const isRecordedLate = (added: readonly NewEvent[]): boolean =>
    added.some((event) => {
      const { type, data } = decode({
        ...event,
        stream: '',
        revision: 0,
        position: '',
      }) as KnownEvent;
      if (type !== 'MessageSent' || data.recovered) return false;
      return runtime.elapsed() - provider.toldAt.get(data.chargeId)! > RECORD_AFTER_MS;
    });

  /** The reply to what is done may be lost. */
  const lose = (store: Store, what: string): void => {
    if (!losesReplies || random() >= 0.2) return;
    note(`the reply is lost: ${what}`);
    throw away[store]();
  };

  /** The way of a process to a store and back. */
  const wayOf = (life: Life, store: Store): Way => ({
    async to(what, added = []) {
      const begunAt = runtime.elapsed();
      await runtime.turn(life, what);
      const isLate =
        form === 'servers' &&
        (runtime.elapsed() - begunAt > CALL_TIMEOUT_MS || isRecordedLate(added));
      if (gone.has(store) || isLate) throw away[store]();
    },
    async back(what) {
      const isWrite = /^(append|commit|replace|keep|take|promote)/.test(what);
      // What was read may be old when it arrives.
      if (!isWrite && random() < 0.7) return;
      await runtime.turn(life, `done: ${what}`);
      if (isWrite) lose(store, what);
    },
  });

  const logger = (life: Life): Logger => {
    const line = (level: string) => (fields: { err?: Error; reason?: string }, text: string) =>
      note(`${life.name} logs ${level}: ${text} ${fields.err?.message ?? fields.reason ?? ''}`);
    const quiet = () => undefined;
    return {
      info: quiet,
      debug: quiet,
      trace: quiet,
      warn: line('warn'),
      error: line('error'),
      fatal: line('fatal'),
    } as unknown as Logger;
  };

  /** Starts a process. It is up when its service says so. */
  const boot = (): Instance => {
    booted += 1;
    const life = createLife(runtime, `p${booted}`);
    note(`${life.name} starts`);
    const ports = {
      store: log.open(form === 'embedded', wayOf(life, 'log')),
      views: views.open(wayOf(life, 'views')),
      keys: keysOf(life),
      coordination: form === 'embedded' ? createAlone() : coordinationOf(life),
      provider: provider.open(life),
      heard: () => ({ time: undefined, missed: undefined }),
      clock,
      ids,
      logger: logger(life),
      installationKey: { ...fixedKey(SECRET), extend: () => Promise.reject(new Error('not here')) },
      isSecretChecked: () => true,
      backups: null,
      metrics: createMetrics({ ofProcess: false }),
    };
    const service = runtime.run(life, () => compose(CONFIG, ports, () => undefined));
    const instance = { life, service, isUp: false };
    instances.push(instance);
    const start = async () => {
      await service.start();
      instance.isUp = true;
      for (const go of waiting.splice(0)) go();
    };
    runtime.run(life, () => start().catch((error) => note(`${life.name} cannot start: ${error}`)));
    return instance;
  };

  const outside = createLife(runtime, 'somebody');
  /** The process stops, and goes on later from where it was; others go on meanwhile. */
  const freeze = ({ life }: Instance, ms: number): void => {
    if (life.held || instances.every((one) => one.life === life || one.life.held)) return;
    note(`${life.name} is frozen`);
    runtime.freeze(life);
    runtime.after(outside, ms, `${life.name} goes on`, () => runtime.thaw(life));
  };

  /** The process is gone, and nothing of it comes back. */
  const kill = ({ life }: Instance): void => {
    note(`${life.name} is killed`);
    runtime.end(life);
    instances.splice(
      instances.findIndex((one) => one.life === life),
      1,
    );
    for (const settle of unanswered.get(life) ?? []) settle();
    unanswered.delete(life);
  };

  const unanswered = new Map<Life, Set<() => void>>();
  /** An answer without a status: the process or the caller was gone. */
  const none = { status: null, headers: {}, body: undefined } as unknown as Answer;

  const callAt = async (
    { life, service }: Instance,
    method: string,
    path: string,
    how: Call,
  ): Promise<Answer> => {
    // It was killed between the choice of it and the call.
    if (!life.isAlive) return none;
    const body = how.raw ?? (how.body === undefined ? '' : JSON.stringify(how.body));
    const headers = {
      ...(how.token !== undefined && { authorization: `Bearer ${how.token}` }),
      'content-type': 'application/json',
      ...how.headers,
    };
    const url = `/api${path}`;
    const { answer, hangUp } = runtime.run(life, () =>
      exchange(service.app.handler, { method, url, headers, body: Buffer.from(body) }),
    );
    how.signal?.addEventListener('abort', () => life.isAlive && runtime.run(life, hangUp));
    const waiting = unanswered.get(life) ?? new Set();
    unanswered.set(life, waiting);
    const dead = Promise.withResolvers<undefined>();
    const settle = () => dead.resolve(undefined);
    waiting.add(settle);
    const came = await Promise.race([answer, dead.promise]);
    waiting.delete(settle);
    if (!came) return none;
    const { status } = came;
    return { status, headers: came.headers, ...adviceIn(status, JSON.parse(came.text)) };
  };

  /** Callers who find no process that is up. */
  const waiting: (() => void)[] = [];
  /** Any process that is up, as soon as there is one. */
  const someone = async (): Promise<Instance> => {
    for (;;) {
      const up = instances.filter(({ isUp, life }) => isUp && !life.held);
      if (up.length > 0) return up[Math.floor(random() * up.length)]!;
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const answers: RecordedAnswer[] = [];
  /** The events that the log had when a request was answered. */
  const answeredAfter = new Map<string, number>();
  const recorder = recordAnswers(
    async (method, path, how = {}) => {
      const instance = await someone();
      note(
        `${how.headers?.['x-request-id']}: ${method} ${path} at ${instance.life.name} ${how.raw ?? JSON.stringify(how.body) ?? ''}`,
      );
      const answer = await callAt(instance, method, path, how);
      answeredAfter.set(how.headers!['x-request-id']!, log.events.length);
      note(`${how.headers?.['x-request-id']}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer;
    },
    answers,
    ids,
  );
  const erased: Erased[] = [];
  const store = openedAnew(log.open(true), keys.open());
  const shown = views.open();

  return {
    runtime,
    log,
    facts,
    provider,
    instances,
    boot,
    kill,
    freeze,
    note,
    answers,
    answeredAfter,
    early,
    erased,
    store,
    ids,
    form,
    contents: (): Contents => ({ events: log.events, views: views.state, keys: keys.held() }),
    call: recorder.call,
    /** Does something at once, or so many steps after the next event of a type. */
    when(type: string | null, steps: number, go: () => void) {
      if (type === null) go();
      else awaited.push({ type, steps, go });
    },
    setAway(which: Store, isAway: boolean) {
      note(`${which}: ${isAway ? 'away' : 'back'}`);
      if (isAway) gone.add(which);
      else gone.delete(which);
    },
    isAnyAway: () => gone.size > 0,
    setLosing(now: boolean) {
      losesReplies = now;
    },
    problems: (options: CheckOptions) =>
      checkInvariants(
        { store, views: shown, answers, providerCalls: provider.calls, erased },
        options,
      ),
    /** Whether every read model has seen the whole log. */
    areRead: () => views.areAt(log.events.at(-1)?.position ?? ''),
  };
};

export type SimulatedWorld = ReturnType<typeof createWorld>;
