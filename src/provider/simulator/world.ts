import type { Clock } from '../../shared/clock.ts';
import type { ScenarioName } from './scenarios.ts';

export interface SimulatedNumber {
  phoneNumberId: string;
  wabaId: string;
  displayPhoneNumber: string;
  verifiedName: string;
  qualityRating: string;
  /** Such as CONNECTED, RESTRICTED or BANNED; an unregistered number shows PENDING. */
  status: string;
  registered: boolean;
  /** The two-step PIN, once one is set. */
  pin: string | null;
  /** Why the business account is blocked from sending; null when it is not. */
  blockedBecause: string | null;
  /** Throughput beyond which sends are refused; null is unlimited. */
  messagesPerSecond: number | null;
}

export interface SimulatedTemplate {
  id: string;
  wabaId: string;
  name: string;
  language: string;
  category: string;
  status: string;
  rejectedReason: string;
  components: unknown[];
}

/** A call of the send endpoint, as it came in. */
export interface LoggedSend {
  at: number;
  phoneNumberId: string;
  /** Digits only. */
  to: string;
  type: string;
  chargeId: string | null;
  /** Null when nothing goes out. */
  messageId: string | null;
  /** Code of the refusal, if it was one. */
  code: number | null;
  body: unknown;
}

export interface Settings {
  appSecret: string;
  /** Where webhooks go; null sends none. */
  webhookUrl: string | null;
  /** Whether only numbers and business accounts that were set up exist. */
  strict: boolean;
  invalidTokens: readonly string[];
  /** Milliseconds. */
  timings: {
    answerMs: number;
    sentMs: number;
    deliveredMs: number;
    readMs: number;
    reviewMs: number;
    authenticationReviewMs: number;
    /** Pauses before a webhook that was not answered with 2xx is sent again. */
    retryMs: readonly number[];
  };
  /** How often, from 0 to 1, an ordinary message's updates go wrong in this way. */
  chaos: { swap: number; duplicate: number; omitDelivered: number; early: number };
  /** Updates in one webhook at most. */
  batch: number;
  /** Whether messages that need an open 24-hour window fail (131047) without one. */
  enforceWindow: boolean;
  /** Whether too many messages to one recipient are refused (131056). */
  pairLimit: boolean;
}

/** Everything that the simulated provider knows. */
export interface World {
  settings: Settings;
  clock: Clock;
  random: () => number;
  numbers: Map<string, SimulatedNumber>;
  templates: Map<string, SimulatedTemplate>;
  /** What happens to all sends of a number, and to how many more of them. */
  faults: Map<string, { scenario: ScenarioName; left: number }>;
  sends: LoggedSend[];
  /** When a customer last wrote, by number and customer. */
  inboundAt: Map<string, number>;
  nextId(): number;
}

const SENDS_MAX = 20_000;
const KEYS_MAX = 20_000;

export const defaultTimings: Settings['timings'] = {
  answerMs: 0,
  sentMs: 50,
  deliveredMs: 150,
  readMs: 300,
  reviewMs: 300,
  authenticationReviewMs: 50,
  retryMs: [100, 500, 2000, 10_000, 60_000],
};

export const createWorld = (
  settings: Settings,
  { clock, random }: { clock: Clock; random: () => number },
): World => {
  let ids = 0;
  return {
    settings,
    clock,
    random,
    numbers: new Map(),
    templates: new Map(),
    faults: new Map(),
    sends: [],
    inboundAt: new Map(),
    nextId: () => {
      ids += 1;
      return ids;
    },
  };
};

/** Adds to the log of sends, which forgets the oldest ones. */
export const logSend = (world: World, send: LoggedSend): void => {
  world.sends.push(send);
  if (world.sends.length > 2 * SENDS_MAX) world.sends.splice(0, SENDS_MAX);
};

/** Sets a key of a map that forgets the keys that were set first. */
export const remember = <T>(map: Map<string, T>, key: string, value: T): void => {
  map.delete(key);
  map.set(key, value);
  if (map.size > KEYS_MAX) map.delete(map.keys().next().value as string);
};

export const newNumber = (
  number: Partial<SimulatedNumber> & { phoneNumberId: string },
): SimulatedNumber => ({
  wabaId: `2${number.phoneNumberId.slice(1)}`,
  displayPhoneNumber: `+1 555 ${number.phoneNumberId.slice(-7).padStart(7, '0')}`,
  verifiedName: 'Simulated Shop',
  qualityRating: 'GREEN',
  status: 'CONNECTED',
  registered: true,
  pin: null,
  blockedBecause: null,
  messagesPerSecond: null,
  ...number,
});

/** The number of that id; outside strict mode one that was not set up is made. */
export const numberOf = (world: World, phoneNumberId: string): SimulatedNumber | undefined => {
  const known = world.numbers.get(phoneNumberId);
  if (known || world.settings.strict) return known;
  const number = newNumber({ phoneNumberId });
  remember(world.numbers, phoneNumberId, number);
  return number;
};

/** Templates that can be sent from a number; a number that was made up may send all there are. */
export const templatesFor = (world: World, number: SimulatedNumber): SimulatedTemplate[] => {
  const all = [...world.templates.values()];
  const own = all.filter((template) => template.wabaId === number.wabaId);
  return own.length > 0 || world.settings.strict ? own : all;
};
