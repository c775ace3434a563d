import fc from 'fast-check';

// What happens to the service and around it, in the order in which it begins. Most of it is still under
// way when the next thing begins.

export const CONTACTS = ['919812345678', '919812345679', '4915112345678'] as const;

export type Command =
  | { do: 'send'; tenant: number; to: number; key: number | null; hangUpAfter: number | null }
  | { do: 'text'; tenant: number; to: number; key: number | null }
  | { do: 'batch'; tenant: number; to: number[]; key: number | null }
  /** A send that waits for its time. */
  | { do: 'schedule'; tenant: number; to: number; inMs: number }
  /** A file is uploaded, and started as soon as it is checked. */
  | { do: 'job'; tenant: number; to: number[] }
  /** The provider tells of a message, in its own time. */
  | { do: 'status'; nth: number; word: string }
  /** The owner of the number has sent something himself, and named a charge of ours. */
  | { do: 'forge'; after: number | null; nth: number; message: number; word: string }
  | { do: 'inbound'; tenant: number; from: number; again: true | null }
  | { do: 'read'; tenant: number; what: string }
  | { do: 'erase'; contact: number }
  | { do: 'crash'; nth: number; when: string | null; after: number }
  /** A process stops for so long, while others go on. */
  | { do: 'freeze'; nth: number; ms: number; when: string | null; after: number }
  | { do: 'boot' }
  | { do: 'away'; store: 'log' | 'views' | 'keys' }
  | { do: 'back' }
  | { do: 'lose replies'; isOn: boolean }
  /** Time passes at once or after an event, where `isIdle` only when nothing is under way. */
  | { do: 'sleep'; ms: number; isIdle: boolean; when: string | null; after: number };

/** A command, and the number of steps that may come before the next one. */
export interface Planned {
  command: Command;
  pause: number;
}

/** So many times in so many the value, else null. */
const maybe = <T>(times: number, of: number, some: fc.Arbitrary<T>): fc.Arbitrary<T | null> =>
  fc.oneof(
    { weight: times, arbitrary: some },
    { weight: of - times, arbitrary: fc.constant(null) },
  );

const tenant = fc.nat(1);
const contact = fc.nat(CONTACTS.length - 1);
const recipients = fc.array(contact, { minLength: 1, maxLength: 4 });
const key = maybe(1, 2, fc.nat(2));
const word = fc.constantFrom('sent', 'delivered', 'read', 'failed');

/** At once, or after the next event of this type. */
const when = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 4, arbitrary: fc.constant('ChargeReserved') },
  { weight: 2, arbitrary: fc.constant('MessageSent') },
  {
    weight: 11,
    arbitrary: fc.constantFrom(
      'RequestClaimed',
      'ChargeMatched',
      'ChargeRefunded',
      'StatusUpdated',
      'ErasureRequested',
      'ContactErased',
      'MessageReceived',
      'BotActionStarted',
      'ScheduleBegun',
      'JobBegun',
      'JobRowsSettled',
    ),
  },
);

/** Each kind of command with its weight. */
const kinds: { [Do in Command['do']]: [number, fc.Arbitrary<object>] } = {
  send: [12, fc.record({ tenant, to: contact, key, hangUpAfter: maybe(1, 8, fc.nat(40)) })],
  text: [3, fc.record({ tenant, to: contact, key })],
  batch: [3, fc.record({ tenant, to: recipients, key })],
  schedule: [
    3,
    fc.record({ tenant, to: contact, inMs: fc.constantFrom(2_000, 20_000, 5 * 60_000) }),
  ],
  job: [2, fc.record({ tenant, to: recipients })],
  status: [10, fc.record({ nth: fc.nat(5), word })],
  forge: [
    6,
    fc.record({ after: maybe(1, 2, fc.nat(50)), nth: fc.nat(2), message: fc.nat(5), word }),
  ],
  inbound: [5, fc.record({ tenant, from: contact, again: maybe(1, 3, fc.constant(true)) })],
  read: [1, fc.record({ tenant, what: fc.constantFrom('messages', 'credits', 'conversations') })],
  erase: [2, fc.record({ contact })],
  crash: [6, fc.record({ nth: fc.nat(3), when, after: fc.nat(50) })],
  freeze: [
    6,
    fc.record({
      nth: fc.nat(3),
      ms: fc.constantFrom(3_000, 8_000, 60_000, 4 * 60_000),
      when,
      after: fc.nat(50),
    }),
  ],
  boot: [2, fc.constant({})],
  away: [2, fc.record({ store: fc.constantFrom('log', 'views', 'keys') })],
  back: [4, fc.constant({})],
  'lose replies': [2, fc.record({ isOn: fc.boolean() })],
  sleep: [
    6,
    fc.record({
      ms: fc.constantFrom(1_000, 5_000, 19_000, 61_000, 4 * 60_000, 16 * 60_000, 16 * 60_000),
      isIdle: fc.boolean(),
      when,
      after: fc.nat(30),
    }),
  ],
};
const ALWAYS: readonly Command['do'][] = ['send', 'back', 'sleep'];
const sometimes = (Object.keys(kinds) as Command['do'][]).filter((kind) => !ALWAYS.includes(kind));

const planned = (chosen: readonly Command['do'][]): fc.Arbitrary<Planned> =>
  fc.record({
    command: fc.oneof(
      ...[...ALWAYS, ...chosen].map((kind) => ({
        weight: kinds[kind][0],
        arbitrary: kinds[kind][1].map((rest) => ({ do: kind, ...rest }) as Command),
      })),
    ),
    pause: fc.oneof(fc.nat(12), fc.nat(80), fc.integer({ min: 80, max: 250 })),
  });

/** What is left of a plan where nothing fails but sends; a bot answers the first account's customers. */
export const calmed = (all: readonly Planned[]): Planned[] =>
  all.flatMap(({ command, pause }): Planned[] => {
    switch (command.do) {
      case 'send':
        return [{ command: { ...command, hangUpAfter: null }, pause }];
      case 'batch':
        return [{ command: { ...command, key: null }, pause }];
      case 'inbound':
        return [{ command: { ...command, tenant: 1, again: null }, pause }];
      case 'text':
      case 'status':
      case 'erase':
      case 'read':
        return [{ command, pause }];
      case 'sleep':
        return [{ command: { ...command, when: null }, pause }];
      default:
        return [];
    }
  });

/** Few kinds of commands in each plan: what needs many of one kind then comes up sooner. */
export const plan: fc.Arbitrary<Planned[]> = fc
  .subarray(sometimes, { minLength: 3, maxLength: 8 })
  .chain((chosen) => fc.array(planned(chosen), { minLength: 25, maxLength: 60, size: 'max' }));
