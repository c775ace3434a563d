import { asRecord, type Json } from '../shape.ts';
import { recipientOf } from './contacts.ts';
import type { createCustomers } from './customers.ts';
import type { Hooks } from './hooks.ts';
import type { SimulatedMedia } from './media-file.ts';
import type { NoticeRequest } from './notices.ts';
import { setSubscription } from './numbers.ts';
import type { Reviews } from './reviews.ts';
import type { ScenarioName, Step } from './scenarios.ts';
import type { Settings } from './settings.ts';
import type { Statuses } from './statuses.ts';
import type { Templates } from './templates.ts';
import type { Timers } from './timers.ts';
import { newNumber, numberOf, type SimulatedNumber, type World } from './world.ts';

/** Settings to change; an absent one keeps its value. */
export type SimulatorSettings = Partial<Omit<Settings, 'timings' | 'chaos'>> & {
  timings?: Partial<Settings['timings']>;
  chaos?: Partial<Settings['chaos']>;
};

/** An update of a message that went out, and the message. */
const updateOf = (world: World, messageId: string, step: Step) => {
  const send = world.sends.findLast((one) => one.messageId === messageId);
  const number = send && numberOf(world, send.phoneNumberId);
  const contact = send && recipientOf(world, asRecord(send.body));
  if (!number || !contact || !send.billing) throw new Error(`no message ${messageId} went out`);
  const { digits, userId, hidden } = contact;
  const { chargeId, billing } = send;
  const to = { waId: digits, userId, hidden };
  const message = { number, messageId, ...to, chargeId, billing, templateId: null };
  return [message, { step, isPriced: step !== 'read' }] as const;
};

/** What a test can do with the simulator, and a program over HTTP. */
export const createFunctions = (parts: {
  world: World;
  timers: Timers;
  hooks: Hooks;
  statuses: Statuses;
  reviews: Reviews;
  templates: Templates;
  customers: ReturnType<typeof createCustomers>;
  notice: (request: NoticeRequest) => Promise<number | null>;
}) => {
  const { world, timers, hooks, statuses, reviews, templates, customers, notice } = parts;
  const { settings, numbers, faults } = world;
  return {
    configure({ timings, chaos, ...rest }: SimulatorSettings): void {
      Object.assign(settings, rest);
      Object.assign(settings.timings, timings);
      Object.assign(settings.chaos, chaos);
    },
    /** Sets up a number, or changes it. */
    setNumber(number: Partial<SimulatedNumber> & { phoneNumberId: string }): SimulatedNumber {
      const known = numbers.get(number.phoneNumberId);
      const changed = known ? Object.assign(known, number) : newNumber(number);
      numbers.set(number.phoneNumberId, changed);
      return changed;
    },
    /** Sets up a template without a review: approved, or in the given `status`. */
    setTemplate: (wabaId: string, template: Json) => templates.seed(wabaId, template),
    /** Puts a template into a state and notifies the service; DELETED removes it. */
    async decideTemplate(id: string, status: string, reason?: string) {
      const template = world.templates.get(id);
      if (!template) throw new Error(`there is no template ${id}`);
      return reviews.decide(template, status, reason);
    },
    /** Sets up a file as if it had been uploaded for a number. */
    setMedia: (file: SimulatedMedia) => void world.media.set(file.id, file),
    /** Lets the next `count` sends of a number (default: all) meet a scenario; null ends that. */
    fault(
      phoneNumberId: string,
      scenario: ScenarioName | null,
      count = Number.POSITIVE_INFINITY,
    ): void {
      if (scenario === null) faults.delete(phoneNumberId);
      else faults.set(phoneNumberId, { scenario, left: count });
    },
    /** Subscribes the app to a business account, or ends that: then no webhook of it goes out. */
    setSubscription(wabaId: string, isOn: boolean): void {
      setSubscription(world, wabaId, isOn);
    },
    /** Lets a customer write. Resolves when the service has answered the webhook once. */
    inbound: customers.inbound,
    setContact: customers.setContact,
    /** Sends an update of a sent message; a number is a failure with that code. */
    status: (messageId: string, step: Step) => statuses.emit(...updateOf(world, messageId, step)),
    /** Sends a notice of the provider's own accord. Resolves with the service's HTTP status. */
    notice,
    /** Sends any payload, signed. Resolves with the service's HTTP status. */
    webhook: (payload: unknown) => hooks.post(payload),
    /** The received sends, oldest first; all, or those with one charge id. */
    sends: (chargeId?: string) =>
      world.sends.filter((send) => chargeId === undefined || send.chargeId === chargeId),
    /** The number of updates, reviews and webhooks that are not done yet. */
    pending: () => timers.size() + hooks.size(),
    /** The number of webhooks that were given up. */
    lost: () => hooks.lost(),
  };
};

export type SimulatorFunctions = ReturnType<typeof createFunctions>;
