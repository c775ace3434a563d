import type { Scenario, Step } from './scenario.ts';
import type { Settings } from './settings.ts';
import type { World } from './world.ts';

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
