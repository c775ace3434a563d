import fc from 'fast-check';

// What happens to the service and around it, in the order in which it begins. Most of it is still under
// way when the next thing begins.

export const CONTACTS = ['919812345678', '919812345679', '4915112345678'] as const;

export type Command =
  | { do: 'send'; tenant: number; to: number; key: number | null; hangUpAfter: number | null }
  | { do: 'text'; tenant: number; to: number; key: number | null }
  | { do: 'batch'; tenant: number; to: number[]; key: number | null }
  | { do: 'status'; nth: number; word: string; claims: number | null }
  | { do: 'inbound'; tenant: number; from: number; again: boolean }
  | { do: 'read'; tenant: number; what: string }
  | { do: 'erase'; contact: number }
  | { do: 'crash'; nth: number; isChecked: boolean }
  | { do: 'boot' }
  | { do: 'away'; store: 'log' | 'views' | 'keys' }
  | { do: 'back' }
  | { do: 'lose replies'; isOn: boolean }
  | { do: 'sleep'; ms: number };

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
const key = maybe(1, 2, fc.nat(2));

const all: [number, fc.Arbitrary<Command>][] = [
  [
    10,
    fc.record({
      do: fc.constant('send' as const),
      ...{ tenant, to: contact, key },
      hangUpAfter: maybe(1, 8, fc.nat(40)),
    }),
  ],
  [2, fc.record({ do: fc.constant('text' as const), tenant, to: contact, key })],
  [
    2,
    fc.record({
      do: fc.constant('batch' as const),
      tenant,
      to: fc.array(contact, { minLength: 1, maxLength: 4 }),
      key,
    }),
  ],
  [
    10,
    fc.record({
      do: fc.constant('status' as const),
      nth: fc.nat(5),
      word: fc.constantFrom('sent', 'delivered', 'read', 'failed'),
      claims: maybe(1, 4, fc.nat(8)),
    }),
  ],
  [
    5,
    fc.record({
      do: fc.constant('inbound' as const),
      ...{ tenant, from: contact },
      again: fc.boolean(),
    }),
  ],
  [
    1,
    fc.record({
      do: fc.constant('read' as const),
      tenant,
      what: fc.constantFrom('messages', 'credits', 'conversations'),
    }),
  ],
  [1, fc.record({ do: fc.constant('erase' as const), contact })],
  [2, fc.record({ do: fc.constant('crash' as const), nth: fc.nat(3), isChecked: fc.boolean() })],
  [1, fc.constant({ do: 'boot' as const })],
  [
    2,
    fc.record({ do: fc.constant('away' as const), store: fc.constantFrom('log', 'views', 'keys') }),
  ],
  [3, fc.constant({ do: 'back' as const })],
  [2, fc.record({ do: fc.constant('lose replies' as const), isOn: fc.boolean() })],
  [
    6,
    fc.record({
      do: fc.constant('sleep' as const),
      ms: fc.constantFrom(1_000, 5_000, 19_000, 61_000, 16 * 60_000),
    }),
  ],
];

const planned: fc.Arbitrary<Planned> = fc.record({
  command: fc.oneof(...all.map(([weight, arbitrary]) => ({ weight, arbitrary }))),
  pause: fc.oneof(fc.nat(12), fc.nat(120)),
});

export const plan: fc.Arbitrary<Planned[]> = fc.array(planned, {
  minLength: 20,
  maxLength: 50,
  size: 'max',
});
