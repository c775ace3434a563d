import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers/promises';
import { seeded } from '../support/faults/random.ts';
import { NOW } from '../support/samples.ts';

// Time, timers and randomness that a seed decides, for code that runs inside a simulation; all other
// code of this process has the real ones.

/** A simulated process. What it waits for never comes once it has ended. */
export interface Life {
  name: string;
  isAlive: boolean;
  /** While it is frozen: what it would have done meanwhile. */
  held?: (Step | Timer)[] | undefined;
}

interface Step {
  life: Life;
  what: string;
  go: () => void;
}

interface Timer extends Step {
  due: number;
}

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  clearInterval: globalThis.clearInterval,
  setImmediate: globalThis.setImmediate,
  clearImmediate: globalThis.clearImmediate,
  monotonicMs: performance.now.bind(performance),
  now: Date.now,
  random: Math.random,
  abortAfter: AbortSignal.timeout.bind(AbortSignal),
};

/** Resolves once all promises that can settle now have settled, and what waits for them has run. */
const quiet = () => new Promise<void>((resolve) => void real.setImmediate(resolve));

/** Of all the steps that may come next, chance takes one. */
export const createRuntime = (seed: number, trace?: (line: string) => void) => {
  const random = seeded(seed);
  const noise = seeded(seed ^ 0x5eed);
  let ready: Step[] = [];
  let waiting: Timer[] = [];
  const immediates = new Map<Life, Step[]>();
  let now = 0;
  let steps = 0;
  /** What somebody outside does once so many steps were taken. */
  let outside: { at: number; go: () => void }[] = [];

  const addTimer = (timer: Timer): void => {
    let place = waiting.length;
    while (place > 0 && waiting[place - 1]!.due > timer.due) place -= 1;
    waiting.splice(place, 0, timer);
  };

  const take = (step: Step): void => {
    const { life, what, go } = step;
    if (life.held) return void life.held.push(step);
    steps += 1;
    trace?.(
      `${String(steps).padStart(6)} ${String(Math.round(now)).padStart(8)} ms  ${life.name}: ${what}`,
    );
    context.run(life, go);
    if (outside.length === 0) return;
    const due = outside.filter(({ at }) => at <= steps);
    outside = outside.filter(({ at }) => at > steps);
    for (const one of due) one.go();
  };

  /** The next step, a due timer among them. */
  const one = (): boolean => {
    const due = waiting[0] && waiting[0].due <= now ? 1 : 0;
    const count = ready.length + due;
    if (count === 0) return false;
    const place = Math.floor(random() * count);
    if (place === ready.length) take(waiting.shift()!);
    else {
      const step = ready[place]!;
      ready[place] = ready.at(-1)!;
      ready.pop();
      take(step);
    }
    return true;
  };

  const runtime = {
    random,
    noise,
    steps: () => steps,
    /** Milliseconds since the simulation began. */
    elapsed: () => now,
    clock: { now: () => NOW + Math.round(now) },
    /** Resolves when it is this step's turn. */
    turn: (life: Life, what: string): Promise<void> =>
      new Promise((go) => {
        if (life.isAlive) ready.push({ life, what, go });
      }),
    after(life: Life, delayMs: number, what: string, go: () => void): Timer {
      const timer = { life, what, go, due: now + Math.max(1, Number(delayMs) || 1) };
      if (life.isAlive) addTimer(timer);
      return timer;
    },
    cancel(timer: Timer): void {
      const place = waiting.indexOf(timer);
      if (place >= 0) waiting.splice(place, 1);
    },
    immediate(life: Life, go: () => void): Step {
      const step = { life, what: 'next turn', go };
      const queue = immediates.get(life) ?? [];
      immediates.set(life, queue);
      queue.push(step);
      if (queue.length === 1 && life.isAlive) ready.push(drain(life, queue));
      return step;
    },
    cancelImmediate(step: Step): void {
      step.go = () => undefined;
    },
    afterSteps: (count: number, go: () => void) => void outside.push({ at: steps + count, go }),
    /** Nothing of this process happens any more. */
    end(life: Life): void {
      life.isAlive = false;
      ready = ready.filter((step) => step.life !== life);
      waiting = waiting.filter((timer) => timer.life !== life);
      immediates.delete(life);
    },
    /** Nothing of this process happens until it is thawed. */
    freeze(life: Life): void {
      life.held ??= [];
    },
    thaw(life: Life): void {
      const held = life.held ?? [];
      life.held = undefined;
      for (const step of held) {
        if ('due' in step) addTimer(step);
        else ready.push(step);
      }
    },
    /** Lets time pass at once, as for a machine that was asleep: timers that fall due are late. */
    sleep(delayMs: number): void {
      now += delayMs;
    },
    /** Some steps, while time passes between them. */
    async some(count: number): Promise<void> {
      await quiet();
      for (let left = count; left > 0; left -= 1) {
        if (random() < 0.03) now = Math.max(now, waiting[0]?.due ?? now);
        if (!one()) now = Math.max(now, waiting[0]?.due ?? now);
        await quiet();
      }
    },
    /** Steps until something holds; time passes when nothing else is left to do. False at the bound. */
    async until(holds: () => boolean, stepsMax: number): Promise<boolean> {
      await quiet();
      for (let left = stepsMax; left > 0; left -= 1) {
        if (holds()) return true;
        if (!one()) now = Math.max(now, waiting[0]?.due ?? now);
        await quiet();
      }
      return holds();
    },
    /** Runs code as a part of this process. */
    run: <T>(life: Life, work: () => T): T => context.run(life, work),
  };

  const drain = (life: Life, queue: Step[]): Step => ({
    life,
    what: 'next turn',
    go() {
      const next = queue.shift();
      if (queue.length > 0) ready.push(drain(life, queue));
      next?.go();
    },
  });
  return runtime;
};

export type Runtime = ReturnType<typeof createRuntime>;

const context = new AsyncLocalStorage<Life>();
/** The simulation of each process. */
const runtimes = new WeakMap<Life, Runtime>();

export const createLife = (runtime: Runtime, name: string): Life => {
  const life = { name, isAlive: true };
  runtimes.set(life, runtime);
  return life;
};

const here = (): { life: Life; runtime: Runtime } | undefined => {
  const life = context.getStore();
  return life && { life, runtime: runtimes.get(life)! };
};

/** What ends each timer of a simulation. */
const cancels = new WeakMap<object, () => void>();

const handleOf = (cancel: () => void) => {
  const handle = { ref: () => handle, unref: () => handle, hasRef: () => true };
  cancels.set(handle, cancel);
  return handle;
};

type Callback = (...args: unknown[]) => void;

const install = (): void => {
  const clear = (otherwise: (handle: never) => void) => (handle: unknown) => {
    const cancel = typeof handle === 'object' && handle !== null && cancels.get(handle);
    if (cancel) cancel();
    else otherwise(handle as never);
  };
  const setTimeout = (go: Callback, delayMs = 1, ...args: unknown[]) => {
    const at = here();
    if (!at) return real.setTimeout(go, delayMs, ...args);
    const { life, runtime } = at;
    const timer = runtime.after(life, delayMs, `timer of ${Math.round(delayMs)} ms`, () =>
      go(...args),
    );
    return handleOf(() => runtime.cancel(timer));
  };
  const setInterval = (go: Callback, delayMs = 1, ...args: unknown[]) => {
    const at = here();
    if (!at) return real.setInterval(go, delayMs, ...args);
    const { life, runtime } = at;
    const arm = (): Timer =>
      runtime.after(life, delayMs, `interval of ${delayMs} ms`, () => {
        timer = arm();
        go(...args);
      });
    let timer = arm();
    return handleOf(() => runtime.cancel(timer));
  };
  const setImmediate = (go: Callback, ...args: unknown[]) => {
    const at = here();
    if (!at) return real.setImmediate(go, ...args);
    const step = at.runtime.immediate(at.life, () => go(...args));
    return handleOf(() => at.runtime.cancelImmediate(step));
  };
  const promised = { setTimeout: timers.setTimeout, setImmediate: timers.setImmediate };
  const pause = (
    delayMs = 1,
    value?: unknown,
    options: { signal?: AbortSignal; ref?: boolean } = {},
  ) => {
    if (!here()) return promised.setTimeout(delayMs, value, options);
    const { signal } = options;
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        cancels.get(handle)?.();
        reject(new DOMException('aborted', { name: 'AbortError', cause: signal?.reason }));
      };
      const handle = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort);
        resolve(value);
      }, delayMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted) onAbort();
    });
  };
  const nextTurn = (value?: unknown, options?: object) =>
    here()
      ? new Promise((resolve) => setImmediate(resolve as Callback, value))
      : promised.setImmediate(value, options);
  const noise = () => here()?.runtime.noise;
  const fill = <T extends NodeJS.ArrayBufferView>(view: T, chance: () => number): T => {
    const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = chance() * 256;
    return view;
  };
  const randomBytes = crypto.randomBytes as (...all: unknown[]) => Buffer;
  const randomFillSync = crypto.randomFillSync as (...all: unknown[]) => NodeJS.ArrayBufferView;
  Object.assign(crypto, {
    randomBytes(size: number, ...more: unknown[]) {
      const chance = noise();
      return chance ? fill(Buffer.alloc(size), chance) : randomBytes(size, ...more);
    },
    // Modules keep what they draw in bulk for longer than one simulation: it must cost no chance.
    randomFillSync(view: NodeJS.ArrayBufferView, ...more: unknown[]) {
      return here() ? fill(view, () => 0) : randomFillSync(view, ...more);
    },
  });
  Object.assign(timers, { setTimeout: pause, setImmediate: nextTurn });
  syncBuiltinESMExports();
  /** With what `util.promisify` looks for. */
  const as = <F extends object>(original: object, made: F): F => {
    for (const key of Object.getOwnPropertySymbols(original)) {
      Object.defineProperty(made, key, Object.getOwnPropertyDescriptor(original, key)!);
    }
    return made;
  };
  Object.assign(globalThis, {
    setTimeout: as(real.setTimeout, setTimeout),
    setImmediate: as(real.setImmediate, setImmediate),
    setInterval,
    clearTimeout: clear(real.clearTimeout as never),
    clearInterval: clear(real.clearInterval as never),
    clearImmediate: clear(real.clearImmediate as never),
  });
  performance.now = () => here()?.runtime.elapsed() ?? real.monotonicMs();
  Date.now = () => here()?.runtime.clock.now() ?? real.now();
  Math.random = () => here()?.runtime.noise() ?? real.random();
  AbortSignal.timeout = (delayMs) => {
    if (!here()) return real.abortAfter(delayMs);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('too late', 'TimeoutError')), delayMs);
    return controller.signal;
  };
};

install();
