import type { Json } from '../shape.ts';
import { envelopeOf, OBJECT } from '../webhook/reader.ts';
import { countDelivery, pricingOf } from './analytics.ts';
import { type GraphAnswer, graphError, ok, webhookError } from './answers.ts';
import type { Hooks } from './hooks.ts';
import type { Billing, Scenario, Step } from './scenarios.ts';
import type { Settings } from './settings.ts';
import type { Timers } from './timers.ts';
import type { SimulatedNumber, World } from './world.ts';

/** One future update. */
interface PlannedStep {
  step: Step;
  copies: number;
  afterMs: number;
  /** Before the send call is answered. */
  atOnce: boolean;
  /** Whether it says how the message is billed: `sent` does, and the first proof of delivery. */
  isPriced: boolean;
}

const ordinarySteps: readonly Step[] = ['sent', 'delivered', 'read'];

const delayOf = (step: Step, { sentMs, deliveredMs, readMs }: Settings['timings']): number => {
  if (step === 'sent') return sentMs;
  return step === 'read' ? readMs : deliveredMs;
};

/** The updates of a message; `chaos` disturbs those of an ordinary one at random. */
export const planOf = (scenario: Scenario, { settings, random }: World): PlannedStep[] => {
  const { chaos, timings } = settings;
  const isOrdinary = scenario.steps === undefined;
  const happens = (chance: number) => isOrdinary && random() < chance;
  const omitted = happens(chaos.omitDelivered) ? 'delivered' : undefined;
  const steps = (scenario.steps ?? ordinarySteps).filter((step) => step !== omitted);
  const proof = steps.find((step) => step === 'delivered' || step === 'read');
  let last = 0;
  const times = steps.map((step) => {
    last = Math.max(last, delayOf(step, timings));
    return last;
  });
  if (scenario.reversed || happens(chaos.swap)) steps.reverse();
  const copies = scenario.doubled || happens(chaos.duplicate) ? 2 : 1;
  const isEarly = scenario.early || happens(chaos.early);
  return steps.map((step, index) => ({
    step,
    copies,
    afterMs: times[index] ?? 0,
    atOnce: isEarly && index === 0,
    isPriced: step === 'sent' || step === proof,
  }));
};

/** How the server ends a call. */
export type CallEnding =
  | GraphAnswer
  | { kind: 'raw'; status: number; contentType: string; text: string }
  | { kind: 'silence' | 'reset' | 'cut_off' };

interface Accepted {
  messageId: string;
  /** Null for a user id whose number the simulator does not know. */
  waId: string | null;
  userId: string;
}

/** The body of the answer to an accepted message: the recipient as the call named it. */
const acceptance = (
  { messageStatus }: Scenario,
  message: Json,
  { messageId, waId, userId }: Accepted,
) => ({
  messaging_product: 'whatsapp',
  contacts: [
    message.to === undefined
      ? { input: message.recipient, user_id: userId }
      : { input: message.to, wa_id: waId },
  ],
  messages: [
    {
      id: messageId,
      ...(message.type === 'template' && { message_status: messageStatus ?? 'accepted' }),
    },
  ],
});

/** How a send call ends in a scenario. */
export const endingOf = (scenario: Scenario, message: Json, outgoing: Accepted): CallEnding => {
  const accepted = acceptance(scenario, message, outgoing);
  switch (scenario.ending) {
    case 'accept':
      return ok(accepted);
    case 'refuse':
      return graphError(scenario.code ?? 131000);
    case 'bad_gateway':
      return { kind: 'raw', status: 502, contentType: 'text/html', text: '<h1>Bad Gateway</h1>' };
    case 'no_id':
      return ok({ messaging_product: 'whatsapp' });
    case 'cut_json': {
      const text = JSON.stringify(accepted);
      const half = text.slice(0, text.length / 2);
      return { kind: 'raw', status: 200, contentType: 'application/json', text: half };
    }
    case 'reset_unread':
      return { kind: 'reset' };
    case 'silence':
    case 'reset':
    case 'cut_off':
      return { kind: scenario.ending };
    default:
      return scenario.ending satisfies never;
  }
};

/** A message on its way to the customer. */
export interface Outgoing {
  number: SimulatedNumber;
  messageId: string;
  /** Null for a user id whose number the simulator does not know. */
  waId: string | null;
  /** The number is not shown. */
  hidden: boolean;
  userId: string;
  chargeId: string | null;
  billing: Billing;
  /** The template that the provider made of a message without one; null of others. */
  templateId: string | null;
}

export interface Statuses {
  /** Sends the updates of a message; resolves when those that must come at once are sent. */
  begin(message: Outgoing, scenario: Scenario): Promise<void>;
  /** Sends one update now. */
  emit(message: Outgoing, update: Update): Promise<unknown>;
}

/** One update of a message; a failure is never priced. */
interface Update {
  step: Step;
  isPriced: boolean;
}

const BATCH_PAUSE_MS = 25;

/** The payload of messages, updates or preferences of one number. */
export const numberPayload = (number: SimulatedNumber, value: object, field = 'messages'): Json =>
  envelopeOf(
    { object: OBJECT, entry: { id: number.wabaId }, field },
    {
      messaging_product: 'whatsapp',
      metadata: {
        display_phone_number: number.displayPhoneNumber.replaceAll(/\D/g, ''),
        phone_number_id: number.phoneNumberId,
      },
      ...value,
    },
  );

/** What an update says of the price. */
const pricingIn = ({ billing }: Outgoing, { isPriced }: Update) => {
  const pricing = isPriced ? pricingOf(billing) : undefined;
  return pricing && { pricing };
};

/** One update, as a webhook holds it. */
const statusOf = (message: Outgoing, update: Update, now: number) => ({
  id: message.messageId,
  status: typeof update.step === 'number' ? 'failed' : update.step,
  timestamp: String(Math.floor(now / 1000)),
  ...(message.waId !== null && !message.hidden && { recipient_id: message.waId }),
  ...(typeof update.step !== 'number' && { recipient_user_id: message.userId }),
  ...(message.chargeId !== null && { biz_opaque_callback_data: message.chargeId }),
  ...(message.templateId !== null && { template_id: message.templateId }),
  ...(typeof update.step === 'number'
    ? { errors: [webhookError(update.step)] }
    : pricingIn(message, update)),
});

/** The record of the recipient beside an update; a failure has none. */
const contactsOf = ({ waId, hidden, userId }: Outgoing, { step }: Update) =>
  typeof step === 'number'
    ? []
    : [{ ...(waId !== null && !hidden && { wa_id: waId }), user_id: userId }];

/** Updates of one webhook: their contacts are listed once. */
const statusesPayload = (number: SimulatedNumber, updates: readonly Told[]) => {
  const contacts = updates.flatMap((update) => update.contacts);
  return numberPayload(number, {
    ...(contacts.length > 0 && { contacts }),
    statuses: updates.map(({ status }) => status),
  });
};

/** An update as it is sent. */
interface Told {
  status: object;
  contacts: object[];
}

/** The delivery updates that follow an accepted message. */
export const createStatuses = (
  world: World,
  hooks: Pick<Hooks, 'post'>,
  timers: Timers,
): Statuses => {
  const { settings } = world;
  const batches = new Map<string, { number: SimulatedNumber; updates: Told[] }>();

  const flush = (phoneNumberId: string) => {
    const batch = batches.get(phoneNumberId);
    batches.delete(phoneNumberId);
    if (!batch) return Promise.resolve(null);
    return hooks.post(statusesPayload(batch.number, batch.updates));
  };

  const emit = async (message: Outgoing, update: Update) => {
    const { number } = message;
    if (update.step === 'delivered' || update.step === 'read') countDelivery(world, message);
    const status = statusOf(message, update, world.clock.now());
    const told = { status, contacts: contactsOf(message, update) };
    if (settings.batch <= 1) return hooks.post(statusesPayload(number, [told]));
    const batch = batches.get(number.phoneNumberId) ?? { number, updates: [] };
    batch.updates.push(told);
    batches.set(number.phoneNumberId, batch);
    if (batch.updates.length >= settings.batch) return flush(number.phoneNumberId);
    if (batch.updates.length === 1) {
      timers.after(BATCH_PAUSE_MS, () => void flush(number.phoneNumberId));
    }
    return null;
  };

  return {
    emit,
    async begin(message, scenario) {
      if (settings.webhookUrl === null) return;
      // Each update waits for the answer to the one before, so that the plan decides the order.
      let before: Promise<unknown> = Promise.resolve();
      const next = (update: Update) => {
        before = before.then(() => emit(message, update));
      };
      for (const { copies, afterMs, atOnce, ...update } of planOf(scenario, world)) {
        for (let copy = 0; copy < copies; copy += 1) {
          if (atOnce) await emit(message, update);
          else timers.after(afterMs, () => next(update));
        }
      }
    },
  };
};
