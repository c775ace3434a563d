import type { Clock } from '../../shared/clock.ts';
import type { Json } from '../shape.ts';
import type { SimulatedMedia } from './media-file.ts';
import type { Billing, ScenarioName } from './scenarios.ts';
import type { Settings } from './settings.ts';

export interface SimulatedNumber {
  phoneNumberId: string;
  wabaId: string;
  displayPhoneNumber: string;
  verifiedName: string;
  qualityRating: string;
  /** Such as CONNECTED, RESTRICTED or BANNED; an unregistered number shows PENDING. */
  status: string;
  registered: boolean;
  /** The two-step PIN; null until one is set. */
  pin: string | null;
  /** Why the business account is blocked from sending; null when it is not. */
  blockedBecause: string | null;
  /** Why the business may send little only; null when the provider does not limit it. */
  limitedBecause: string | null;
  /** VERIFIED, NOT_VERIFIED, UNVERIFIED or EXPIRED. */
  codeVerificationStatus: string;
  /** Sends beyond this rate are refused; null is no limit. */
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
  /** How often it was paused. */
  pauses: number;
  parameterFormat: string;
  messageSendTtlSeconds: number | null;
  /** Made by the provider of a message without a template. */
  generated: boolean;
  components: unknown[];
}

/** A call of the send endpoint, as it came in. */
interface LoggedSend {
  at: number;
  phoneNumberId: string;
  /** Digits; the user id of a recipient whose number is not known. */
  to: string;
  type: string;
  chargeId: string | null;
  /** Null when no message goes out. */
  messageId: string | null;
  /** Code of the refusal; null without one. */
  code: number | null;
  /** Null when no message goes out. */
  billing: Billing | null;
  body: unknown;
}

/** Delivered messages of one half hour that are billed alike. */
export interface BilledVolume {
  /** Start of the half hour, in seconds since 1970. */
  start: number;
  wabaId: string;
  phone: string;
  country: string;
  category: string;
  type: string;
  volume: number;
}

export interface App {
  id: string;
  name: string;
  link: string;
}

/** What a business has set for a number. */
export interface BusinessOf {
  profile: Json;
  settings: Json;
  /** Digits of the customers, and how the call named each. */
  blocked: Map<string, string>;
  /** By code. */
  qrCodes: Map<string, { prefilled_message: string }>;
}

/** Everything that the simulated provider knows. */
export interface World {
  settings: Settings;
  clock: Clock;
  random: () => number;
  numbers: Map<string, SimulatedNumber>;
  templates: Map<string, SimulatedTemplate>;
  /** The scenario of all sends of a number, and how many more of them it meets. */
  faults: Map<string, { scenario: ScenarioName; left: number }>;
  /** Whether the app is subscribed to a business account; absent until somebody asks or decides. */
  subscriptions: Map<string, boolean>;
  media: Map<string, SimulatedMedia>;
  sends: LoggedSend[];
  /** Messages that were delivered, by id. */
  delivered: Map<string, true>;
  /** How they are billed, by everything but their number. */
  billed: Map<string, BilledVolume>;
  /** Customers by number, where they differ from others. */
  contacts: Map<string, { hidden: boolean; changes: number }>;
  /** Time of the last inbound message, by number and customer. */
  inboundAt: Map<string, number>;
  /** Ids of inbound messages. */
  inboundIds: Map<string, true>;
  /** Free-form messages that went out, by number and UTC month. */
  serviceMessages: Map<string, number>;
  /** What the business has set, by number. */
  business: Map<string, BusinessOf>;
  nextId(): number;
}

const SENDS_MAX = 20_000;
const KEYS_MAX = 20_000;

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
    subscriptions: new Map(),
    media: new Map(),
    sends: [],
    delivered: new Map(),
    billed: new Map(),
    contacts: new Map(),
    inboundAt: new Map(),
    inboundIds: new Map(),
    serviceMessages: new Map(),
    business: new Map(),
    nextId: () => {
      ids += 1;
      return ids;
    },
  };
};

/** Takes one use of the fault of a number, if it has one. */
export const takeFault = ({ faults }: World, phoneNumberId: string): ScenarioName | undefined => {
  const fault = faults.get(phoneNumberId);
  if (!fault) return undefined;
  fault.left -= 1;
  if (fault.left <= 0) faults.delete(phoneNumberId);
  return fault.scenario;
};

/** Adds to the log of sends, which drops the oldest beyond 20,000. */
export const logSend = (world: World, send: LoggedSend): void => {
  world.sends.push(send);
  if (world.sends.length > 2 * SENDS_MAX) world.sends.splice(0, SENDS_MAX);
};

/** Sets a key of a map, which drops the oldest keys beyond 20,000. */
export const remember = <T>(map: Map<string, T>, key: string, value: T): void => {
  map.delete(key);
  map.set(key, value);
  if (map.size > KEYS_MAX) map.delete(map.keys().next().value as string);
};

/** The business account of a number that was given none. */
export const businessAccountOf = (phoneNumberId: string): string => `2${phoneNumberId.slice(1)}`;

export const newNumber = (
  number: Partial<SimulatedNumber> & { phoneNumberId: string },
): SimulatedNumber => ({
  wabaId: businessAccountOf(number.phoneNumberId),
  displayPhoneNumber: `+1 555 ${number.phoneNumberId.slice(-7).padStart(7, '0')}`,
  verifiedName: 'Simulated Shop',
  qualityRating: 'GREEN',
  status: 'CONNECTED',
  registered: true,
  pin: null,
  blockedBecause: null,
  limitedBecause: null,
  codeVerificationStatus: 'VERIFIED',
  messagesPerSecond: null,
  ...number,
});

/** The number with this id. Outside strict mode an unknown one is created. */
export const numberOf = (world: World, phoneNumberId: string): SimulatedNumber | undefined => {
  const known = world.numbers.get(phoneNumberId);
  if (known || world.settings.strict) return known;
  const number = newNumber({ phoneNumberId });
  remember(world.numbers, phoneNumberId, number);
  return number;
};

/** Templates of a number's business account; all templates where it has none, outside strict mode. */
export const templatesFor = (world: World, number: SimulatedNumber): SimulatedTemplate[] => {
  const all = [...world.templates.values()].filter(({ generated }) => !generated);
  const own = all.filter((template) => template.wabaId === number.wabaId);
  return own.length > 0 || world.settings.strict ? own : all;
};
