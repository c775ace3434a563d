import { webhookError } from './errors.ts';
import type { Hooks } from './hooks.ts';
import type { Scenario, Step } from './scenarios.ts';
import type { Timers } from './timers.ts';
import type { SimulatedNumber, World } from './world.ts';

/** A message on its way to the customer. */
export interface Outgoing {
  number: SimulatedNumber;
  messageId: string;
  waId: string;
  chargeId: string | null;
  /** Lower case, as the provider writes it in its pricing. */
  category: string;
}

export interface Statuses {
  /** Lets the updates of a message happen; resolves when those that must come at once are out. */
  begin(message: Outgoing, scenario: Scenario): Promise<void>;
  /** One update now. */
  emit(message: Outgoing, step: Step): Promise<unknown>;
}

const BATCH_PAUSE_MS = 25;
const ordinarySteps: readonly Step[] = ['sent', 'delivered', 'read'];

/** The payload of messages or updates of one number. */
export const numberPayload = (number: SimulatedNumber, value: object) => ({
  object: 'whatsapp_business_account',
  entry: [
    {
      id: number.wabaId,
      changes: [
        {
          field: 'messages',
          value: {
            messaging_product: 'whatsapp',
            metadata: {
              display_phone_number: number.displayPhoneNumber.replaceAll(/\D/g, ''),
              phone_number_id: number.phoneNumberId,
            },
            ...value,
          },
        },
      ],
    },
  ],
});

/** The delivery updates that follow an accepted message. */
export const createStatuses = (world: World, hooks: Hooks, timers: Timers): Statuses => {
  const { settings, random } = world;
  const batches = new Map<string, { number: SimulatedNumber; statuses: object[] }>();

  const flush = (phoneNumberId: string) => {
    const batch = batches.get(phoneNumberId);
    batches.delete(phoneNumberId);
    if (!batch) return Promise.resolve(null);
    return hooks.post(numberPayload(batch.number, { statuses: batch.statuses }));
  };

  const statusOf = (message: Outgoing, step: Step) => ({
    id: message.messageId,
    status: typeof step === 'number' ? 'failed' : step,
    timestamp: String(Math.floor(world.clock.now() / 1000)),
    recipient_id: message.waId,
    ...(message.chargeId !== null && { biz_opaque_callback_data: message.chargeId }),
    ...(typeof step === 'number'
      ? { errors: [webhookError(step)] }
      : {
          pricing: {
            billable: message.category !== 'service',
            pricing_model: 'PMP',
            type: message.category === 'service' ? 'free_customer_service' : 'regular',
            category: message.category,
          },
        }),
  });

  const emit = async (message: Outgoing, step: Step) => {
    const { number } = message;
    const status = statusOf(message, step);
    if (settings.batch <= 1) return hooks.post(numberPayload(number, { statuses: [status] }));
    const batch = batches.get(number.phoneNumberId) ?? { number, statuses: [] };
    batch.statuses.push(status);
    batches.set(number.phoneNumberId, batch);
    if (batch.statuses.length >= settings.batch) return flush(number.phoneNumberId);
    if (batch.statuses.length === 1) {
      timers.after(BATCH_PAUSE_MS, () => void flush(number.phoneNumberId));
    }
    return null;
  };

  const delayOf = (step: Step): number => {
    const { sentMs, deliveredMs, readMs } = settings.timings;
    if (step === 'sent') return sentMs;
    return step === 'read' ? readMs : deliveredMs;
  };

  /** The steps with their times, after chance has had its way with an ordinary message. */
  const planOf = (scenario: Scenario) => {
    const { chaos } = settings;
    const isOrdinary = scenario.steps === undefined;
    let steps = [...(scenario.steps ?? ordinarySteps)];
    if (isOrdinary && random() < chaos.omitDelivered) {
      steps = steps.filter((step) => step !== 'delivered');
    }
    let last = 0;
    const times = steps.map((step) => {
      last = Math.max(last, delayOf(step));
      return last;
    });
    if (scenario.reversed || (isOrdinary && random() < chaos.swap)) steps.reverse();
    const copies = scenario.doubled || (isOrdinary && random() < chaos.duplicate) ? 2 : 1;
    const isEarly = scenario.early || (isOrdinary && random() < chaos.early);
    return steps.map((step, index) => ({
      step,
      copies,
      afterMs: times[index] ?? 0,
      atOnce: isEarly && index === 0,
    }));
  };

  return {
    emit,
    async begin(message, scenario) {
      if (settings.webhookUrl === null) return;
      // Each waits until the one before it has been answered, so that order is a matter of plan.
      let before: Promise<unknown> = Promise.resolve();
      const next = (step: Step) => {
        before = before.then(() => emit(message, step));
      };
      for (const { step, copies, afterMs, atOnce } of planOf(scenario)) {
        for (let copy = 0; copy < copies; copy += 1) {
          if (atOnce) await emit(message, step);
          else timers.after(afterMs, () => next(step));
        }
      }
    },
  };
};
