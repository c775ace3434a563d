import type { Clock } from '../../shared/clock.ts';
import { createControl } from './control.ts';
import { createCustomers } from './customers.ts';
import { createGraph } from './graph.ts';
import { createHooks } from './hooks.ts';
import { createMessages } from './messages.ts';
import type { Simulator, SimulatorSettings } from './model.ts';
import { createReviews } from './reviews.ts';
import { createSimulatorServer } from './server.ts';
import { createStatuses } from './statuses.ts';
import { createTemplates } from './templates.ts';
import { createTimers } from './timers.ts';
import {
  createWorld,
  defaultSettings,
  defaultTimings,
  newNumber,
  noChaos,
  numberOf,
  type Settings,
} from './world.ts';

export type { Simulator } from './model.ts';

interface SimulatorOptions extends SimulatorSettings {
  appSecret: string;
  /** 0, the default, takes a free port. */
  port?: number;
  host?: string;
  random?: () => number;
  clock?: Clock;
}

/** Simulates the provider, and its faults on demand. */
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
  const statuses = createStatuses(world, hooks, timers);
  const reviews = createReviews(world, hooks, timers);
  const templates = createTemplates(world, reviews);
  const customers = createCustomers(world, hooks);
  const graph = createGraph(world, templates, createMessages(world, statuses));
  const server = createSimulatorServer({
    world,
    graph,
    control: createControl(() => simulator),
    timers,
  });

  const simulator: Simulator = {
    start: () => server.listen(port, host),
    async stop() {
      timers.stop();
      await Promise.all([server.close(), hooks.close()]);
    },
    configure({ timings, chaos, ...rest }) {
      Object.assign(settings, rest);
      Object.assign(settings.timings, timings);
      Object.assign(settings.chaos, chaos);
    },
    setNumber(number) {
      const known = world.numbers.get(number.phoneNumberId);
      const changed = known ? Object.assign(known, number) : newNumber(number);
      world.numbers.set(number.phoneNumberId, changed);
      return changed;
    },
    setTemplate: (wabaId, template) => templates.seed(wabaId, template),
    async decideTemplate(id, status, reason) {
      const template = world.templates.get(id);
      if (!template) throw new Error(`there is no template ${id}`);
      return reviews.decide(template, status, reason);
    },
    fault(phoneNumberId, scenario, count = Number.POSITIVE_INFINITY) {
      if (scenario === null) world.faults.delete(phoneNumberId);
      else world.faults.set(phoneNumberId, { scenario, left: count });
    },
    inbound: (from, message) => customers.inbound(from, message),
    async status(messageId, step) {
      const send = world.sends.findLast((one) => one.messageId === messageId);
      const number = send && numberOf(world, send.phoneNumberId);
      if (!number) throw new Error(`no message ${messageId} went out`);
      const { to, chargeId } = send;
      return statuses.emit({ number, messageId, waId: to, chargeId, category: 'utility' }, step);
    },
    webhook: (payload) => hooks.post(payload),
    sends: (chargeId) =>
      world.sends.filter((send) => chargeId === undefined || send.chargeId === chargeId),
    pending: () => timers.size() + hooks.size(),
    lost: () => hooks.lost(),
  };
  return simulator;
};
