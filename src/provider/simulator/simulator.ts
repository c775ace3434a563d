import type { Clock } from '../../shared/clock.ts';
import { createControl } from './control.ts';
import { answersWithFiles, createCustomers } from './customers.ts';
import { createFunctions, type SimulatorFunctions, type SimulatorSettings } from './functions.ts';
import { createGraph } from './graph.ts';
import { createHooks } from './hooks.ts';
import { createMessages } from './messages.ts';
import { createReviews } from './reviews.ts';
import { createSimulatorServer } from './server.ts';
import { defaultSettings, defaultTimings, noChaos, type Settings } from './settings.ts';
import { createStatuses } from './statuses.ts';
import { toSubscribers } from './subscriptions.ts';
import { createTemplates } from './templates.ts';
import { createTimers } from './timers.ts';
import { createWorld } from './world.ts';

/** A simulated provider. `scenarios` and `magicRecipients` list what it can do. */
export interface Simulator extends SimulatorFunctions {
  /** Resolves with the base address. */
  start(): Promise<string>;
  stop(): Promise<void>;
}

interface SimulatorOptions extends SimulatorSettings {
  appSecret: string;
  /** 0, the default, takes a free port. */
  port?: number;
  host?: string;
  random?: () => number;
  clock?: Clock;
}

export const createSimulator = (options: SimulatorOptions): Simulator => {
  const { port = 0, host = '127.0.0.1', random = Math.random, ...others } = options;
  const { clock = { now: Date.now }, timings, chaos, ...rest } = others;
  const settings: Settings = {
    ...defaultSettings,
    ...rest,
    timings: { ...defaultTimings, ...timings },
    chaos: { ...noChaos, ...chaos },
  };
  const world = createWorld(settings, { clock, random });
  const timers = createTimers();
  const hooks = createHooks(settings);
  const notifications = toSubscribers(world, hooks);
  const statuses = createStatuses(world, notifications, timers);
  const reviews = createReviews(world, notifications, timers);
  const templates = createTemplates(world, reviews);
  const customers = createCustomers(world, notifications);
  const functions = createFunctions({
    world,
    timers,
    hooks,
    statuses,
    reviews,
    templates,
    customers,
  });
  const messages = createMessages(world, statuses, answersWithFiles(world, customers, timers));
  const graph = createGraph(world, templates, messages);
  const server = createSimulatorServer({ world, graph, control: createControl(functions), timers });
  return {
    ...functions,
    start: () => server.listen(port, host),
    async stop() {
      timers.stop();
      await Promise.all([server.close(), hooks.close()]);
    },
  };
};
