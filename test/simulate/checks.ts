import type { KnownEvent } from '../../src/events/index.ts';
import { type Charge, chargesOf, deliveryFailed } from '../support/invariants/charges.ts';
import { readLog } from '../support/invariants/log.ts';
import { refOfMessage } from '../support/message-refs.ts';
import type { Json, Tenant } from '../support/waybill.ts';
import { isOfBot } from './tenants.ts';
import type { SimulatedWorld } from './world.ts';

// What holds at the end of a simulation beside the invariants: it knows when each call, answer and append
// was made, and that nothing is under way any more.

/** What the provider has told of, and the request that took it in. */
export interface Taken {
  payload: Json;
  requestId: string;
  /** All requests that told of it. */
  tries: ReadonlySet<string>;
}

/** Refs whose keys the log says are destroyed. */
export const erasedRefs = ({ facts }: SimulatedWorld): ReadonlySet<string> =>
  new Set(facts().flatMap(({ type, data }) => (type === 'ContactErased' ? data.refs : [])));

/** Nobody who was erased has a data key. */
const keysLeft = (world: SimulatedWorld): string[] => {
  const destroyed = erasedRefs(world);
  const { keys = [] } = world.contents();
  return keys.flatMap(({ subject: { ref } }) =>
    destroyed.has(ref) ? [`I14 ${ref} is erased, and has a data key`] : [],
  );
};

/** Texts that stood in what was written about contacts whose keys are destroyed. */
export const goneTexts = async (world: SimulatedWorld): Promise<string[]> => {
  const destroyed = erasedRefs(world);
  if (destroyed.size === 0) return [];
  const requests = new Map(world.answers.map((one) => [one.requestId, one]));
  return world.facts().flatMap(({ type, data, meta, sealed }) => {
    const { contactRef = '' } = data as { contactRef?: string };
    const asked = requests.get(meta.requestId);
    if (!destroyed.has(contactRef) || sealed === undefined || !asked) return [];
    // Told again after the erasure, a message is that of a contact who is met anew.
    if (asked.path === '/provider/webhook' && type !== 'MessageReceived') return [];
    return JSON.stringify(asked.sent ?? null).match(/secret-\d+-/g) ?? [];
  });
};

/** What the provider took is never given back as a message that was not sent. */
const wronglyBack = ({ facts, provider }: SimulatedWorld): string[] => {
  const taken = new Set(provider.accepted.map(({ chargeId }) => chargeId));
  return facts().flatMap(({ type, data }) =>
    type === 'ChargeRefunded' && data.cause === 'not_sent' && taken.has(data.chargeId)
      ? [`I8 charge ${data.chargeId}: given back as not sent, and the provider has taken it`]
      : [],
  );
};

/** What is asked for under one key goes out once at most. */
const sentTwice = ({ facts, provider }: SimulatedWorld): string[] => {
  const works = new Map(
    facts().flatMap(({ type, data, meta: { claim } }): [string, string][] =>
      type === 'ChargeReserved' && claim
        ? [[data.chargeId, `${claim.id}, part ${claim.part ?? 0}`]]
        : [],
    ),
  );
  const sent = Map.groupBy(provider.accepted, ({ chargeId }) => works.get(chargeId));
  return [...sent].flatMap(([work, { length }]) =>
    work !== undefined && length > 1 ? [`I9 ${length} messages went out for ${work}`] : [],
  );
};

/** A bot sends what a turn says that is in the log by then, and nothing else. */
const unsaidByBots = ({ facts, provider }: SimulatedWorld): string[] =>
  provider.accepted
    .filter(({ content }) => isOfBot(content))
    .flatMap(({ messageId, after }, before) => {
      const said = facts()
        .slice(0, after)
        .filter(({ type }) => type === 'BotActionStarted');
      const sent = before + 1;
      if (sent <= said.length) return [];
      return [`B ${messageId} is message ${sent} of bots, and ${said.length} were in their turns`];
    });

/** What a customer wrote is in the log, once, however often the provider tells of it. */
const notReceived = ({ facts }: SimulatedWorld, written: number): string[] => {
  const received = facts().filter(({ type }) => type === 'MessageReceived').length;
  return received === written ? [] : [`B ${written} messages of customers, ${received} in the log`];
};

/** The provider is called once the log has the reservation, not before. */
const calledEarly = ({ facts, provider }: SimulatedWorld): string[] => {
  const reserved = new Map(
    facts().flatMap(({ type, data }, place): [string, number][] =>
      type === 'ChargeReserved' ? [[data.chargeId, place]] : [],
    ),
  );
  return provider.begun
    .filter(({ chargeId, after }) => (reserved.get(chargeId) ?? after) >= after)
    .map(({ chargeId }) => `I8 charge ${chargeId}: the provider was called before its reservation`);
};

/** What a request does before it is answered. */
const OF_REQUESTS: ReadonlySet<string> = new Set([
  'RequestClaimed',
  'ChargeReserved',
  'MessageSent',
  'SendScheduled',
  'JobCreated',
  'JobStarted',
  'ErasureRequested',
]);

/** A success is told once the log has what it says. What follows from events has a cause. */
const answeredEarly = ({ facts, answers, answeredAfter }: SimulatedWorld): string[] => {
  const successes = new Set(
    answers.flatMap(({ status, requestId }) =>
      status !== null && status < 300 ? [requestId] : [],
    ),
  );
  const late = facts().filter(
    ({ type, meta }, place) =>
      OF_REQUESTS.has(type) &&
      meta.cause === undefined &&
      successes.has(meta.requestId) &&
      place >= answeredAfter.get(meta.requestId)!,
  );
  const erasures = new Set(
    facts().flatMap(({ type, meta }) => (type === 'ErasureRequested' ? [meta.requestId] : [])),
  );
  const lost = answers.filter(
    ({ path, requestId }) =>
      path.endsWith('/erasures') && successes.has(requestId) && !erasures.has(requestId),
  );
  return [
    ...late.map(({ type, meta }) => `A ${meta.requestId} was answered before its ${type}`),
    ...lost.map(({ requestId }) => `A ${requestId} was answered, and is not in the log`),
  ];
};

/** The provider tells of nothing again once it was told 200: by then it is in the log. */
const takenEarly = ({ facts, answeredAfter }: SimulatedWorld, taken: readonly Taken[]): string[] =>
  taken.flatMap(({ payload, requestId, tries }) => {
    const { statuses = [], messages = [] } = payload.entry[0].changes[0].value;
    const [{ id, status }] = [...statuses, ...messages];
    const messageRef = refOfMessage(id);
    const before = facts().slice(0, answeredAfter.get(requestId));
    const isThere = before.some(({ type, data, meta }) => {
      if (type === 'DeadLetterKept') return tries.has(meta.requestId);
      const isIts = 'messageRef' in data && data.messageRef === messageRef;
      if (type === 'StatusUpdated') return isIts && data.status === status;
      return type === 'MessageReceived' && isIts;
    });
    return isThere ? [] : [`A ${requestId}: ${id} ${status ?? ''} was taken and is not in the log`];
  });

/** A delivery that failed is given back where its price says so. */
const notGivenBack = (charges: ReadonlyMap<string, Charge>): string[] =>
  [...charges.values()]
    .filter(({ messages, refunds }) => messages.length > 0 && refunds.length === 0)
    .filter((charge) => charge.reserved?.data.price.refundOnFailure && deliveryFailed(charge))
    .map(({ chargeId }) => `I4 charge ${chargeId}: its delivery failed, and it is not given back`);

/** A bot has answered each message of a customer, unless that one was erased. */
const unanswered = (
  world: SimulatedWorld,
  events: readonly KnownEvent[],
  { accountId }: Tenant,
): string[] => {
  const destroyed = erasedRefs(world);
  const answered = new Set(
    events.flatMap(({ type, data, stream }) =>
      type === 'BotRunStarted' || type === 'BotRunAnswered'
        ? [`${stream} ${data.messageRevision}`]
        : [],
    ),
  );
  return events.flatMap((event) => {
    if (event.type !== 'MessageReceived' || event.data.accountId !== accountId) return [];
    const name = `${event.stream} ${event.revision}`;
    if (event.isErased || destroyed.has(event.data.contactRef) || answered.has(name)) return [];
    return [`B no bot has answered the message at ${name}`];
  });
};

/** What must hold whatever has happened. */
export const checkOrderOfWork = (world: SimulatedWorld, taken: readonly Taken[]): string[] => [
  ...world.early,
  ...wronglyBack(world),
  ...sentTwice(world),
  ...unsaidByBots(world),
  ...keysLeft(world),
  ...calledEarly(world),
  ...answeredEarly(world),
  ...takenEarly(world, taken),
];

/** What must have been done once nothing is under way. */
export const checkNothingLost = async (
  world: SimulatedWorld,
  [withBot]: readonly Tenant[],
  written: number,
): Promise<string[]> => {
  const events = await readLog(world.store);
  return [
    ...notReceived(world, written),
    ...notGivenBack(chargesOf(events)),
    ...unanswered(world, events, withBot!),
  ];
};
