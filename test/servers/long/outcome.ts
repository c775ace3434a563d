import { receivedIdIn } from '../../../src/events/conversation.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import { isOpen } from '../../../src/projections/reservations.ts';
import type { Callee } from '../../support/callee.ts';
import { chargesOf, isKept } from '../../support/invariants/charges.ts';
import { readLog } from '../../support/invariants/log.ts';
import { refOfMessage } from '../../support/message-refs.ts';
import { untilTrue } from '../../support/until.ts';
import type { Tenant } from '../../support/waybill.ts';
import type { Cluster } from '../cluster.ts';
import type { Load } from './load.ts';

/** For the last callbacks, deliveries and runs of bots: all that is under way is tried again within it. */
const SETTLED_WITHIN_MS = 180_000;
/** A reservation is given back by the sweep after this time. */
const SWEPT_AFTER_MS = 16 * 60_000;
const NAMED_MAX = 5;

interface Seen {
  cluster: Cluster;
  load: Load;
  tenants: readonly Tenant[];
  /** Where the webhooks of all tenants go. */
  callee: Callee;
}

/** A sentence, with the first few of those that it is about. */
const problemOf = (what: string, all: readonly string[]): string[] => {
  if (all.length === 0) return [];
  const more = all.length > NAMED_MAX ? ', …' : '';
  return [`${all.length} × ${what}: ${all.slice(0, NAMED_MAX).join(', ')}${more}`];
};

const repeatedIn = (all: readonly string[]): string[] =>
  [...Map.groupBy(all, (one) => one)].flatMap(([one, { length }]) => (length > 1 ? [one] : []));

/** Every callback that was taken is in the history, and what it said of money has happened. */
const checkCallbacks = (events: readonly KnownEvent[], { cluster, load }: Seen): string[] => {
  const received = events.flatMap((one) =>
    one.type === 'MessageReceived' ? [receivedIdIn(one.data) ?? ''] : [],
  );
  const there = new Set(received);
  const charges = [...chargesOf(events).values()];
  const recorded = new Map(
    charges.flatMap((charge) =>
      charge.messages.map(({ data }) => [data.messageRef, charge] as const),
    ),
  );
  const said = new Map<string, Set<string>>();
  for (const { type, data } of events) {
    if (type !== 'StatusUpdated') continue;
    said.set(data.messageRef, (said.get(data.messageRef) ?? new Set()).add(data.status));
  }
  const accepted = cluster.simulator
    .sends()
    .flatMap(({ messageId, to }) =>
      messageId === null ? [] : [{ messageId, to, ref: refOfMessage(messageId) }],
    );
  const failing = accepted.filter(({ to }) => to?.startsWith('155501999'));
  const others = accepted.filter((one) => !failing.includes(one));
  const idsOf = (all: readonly { messageId: string }[]) => all.map(({ messageId }) => messageId);
  return [
    ...problemOf(
      'a customer’s message was taken and is not in the history',
      [...load.written.keys()].filter((id) => !there.has(id)),
    ),
    ...problemOf('a customer’s message is in the history twice', repeatedIn(received)),
    ...problemOf(
      'the provider took a message that is not in the history',
      idsOf(accepted.filter(({ ref }) => !recorded.has(ref))),
    ),
    ...problemOf(
      'the report that it was read is not in the history',
      idsOf(others.filter(({ ref }) => !said.get(ref)?.has('read'))),
    ),
    ...problemOf(
      'the report that it failed is not in the history',
      idsOf(failing.filter(({ ref }) => !said.get(ref)?.has('failed'))),
    ),
    ...problemOf(
      'it failed and was not refunded',
      idsOf(
        failing.filter(({ ref }) => {
          const charge = recorded.get(ref);
          return charge && isKept(charge);
        }),
      ),
    ),
    ...problemOf(
      'a callback is a dead letter',
      events.flatMap(({ type, data }) =>
        type === 'DeadLetterKept' ? [`${data.deadLetterId} (${data.field}, ${data.reason})`] : [],
      ),
    ),
  ];
};

/** Each customer’s message has one run of the bot, which ended, and one answer at most. */
const checkBots = (events: readonly KnownEvent[], { cluster, load }: Seen): string[] => {
  const of = (type: KnownEvent['type']) =>
    events.filter((one) => one.type === type).map(({ stream }) => stream);
  const written = new Set([...load.written.values()].map(({ from }) => from));
  const answered = cluster.simulator
    .sends()
    .flatMap(({ to, messageId }) => (messageId !== null && to && written.has(to) ? [to] : []));
  const [received, started, ended] = [
    of('MessageReceived'),
    of('BotRunStarted'),
    of('BotRunEnded'),
  ];
  const without = (all: readonly string[], some: readonly string[]) =>
    all.filter((one) => !some.includes(one));
  return [
    ...problemOf('a customer’s message has no run of the bot', without(received, started)),
    ...problemOf('a customer’s message has two runs of the bot', repeatedIn(started)),
    ...problemOf('a run of the bot has no end', without(started, ended)),
    ...problemOf('a customer was answered twice', repeatedIn(answered)),
  ];
};

/** Ids of the events that the webhooks must have told. */
const toldIn = (events: readonly KnownEvent[]): string[] =>
  events
    .filter(
      ({ type, data }) =>
        type === 'MessageReceived' || (type === 'StatusUpdated' && data.status === 'failed'),
    )
    .map(({ id }) => id);

const deliveredTo = ({ calls }: Callee): Set<unknown> =>
  new Set(calls.map(({ headers }) => headers['webhook-id']));

/** Whether a charge or a status that claims one still waits for the sweep. */
const isSwept = async ({ views }: Cluster): Promise<boolean> => {
  const live = await views.live();
  const order = { field: 'reservedAt', direction: 'ascending' } as const;
  const left = await Promise.all(
    [live.reservations!, live.chargeclaims!].map((view) =>
      views.find(view, { where: isOpen, order, limit: 1 }),
    ),
  );
  return left.every((rows) => rows.length === 0);
};

/**
 * One worker, as if the time had passed after which reservations are left behind: until then a
 * message whose process died before its record has none, though its statuses are kept.
 */
const sweepAll = async (cluster: Cluster): Promise<undefined> => {
  for (const worker of cluster.workers.splice(0)) await worker.child.stop();
  cluster.workers.push(await cluster.startNode('worker', { clockOffsetMs: SWEPT_AFTER_MS }));
  await untilTrue('the sweep', () => isSwept(cluster), SETTLED_WITHIN_MS);
};

/** Everything that must hold once the faults are over; what takes too long is a problem as well. */
export const checkOutcome = async (seen: Seen): Promise<string[]> => {
  const { cluster, callee } = seen;
  const { simulator } = cluster;
  const problems: string[] = [];
  const wait = (what: string, holds: () => Promise<boolean>) =>
    untilTrue(what, holds, SETTLED_WITHIN_MS).catch((error: Error) => {
      problems.push(error.message);
    });
  const attempt = (work: () => Promise<string[] | undefined>) =>
    work().then(
      (found) => void problems.push(...(found ?? [])),
      (error: Error) => void problems.push(error.message),
    );
  const log = async () => (await readLog(cluster.opened)) as KnownEvent[];
  const ended = async () => {
    const events = await log();
    return checkBots(events, seen).length === 0;
  };

  await wait('all are ready', async () => {
    const answers = await Promise.all(
      [...cluster.apis, ...cluster.workers].map((node) => node.ready()),
    );
    return answers.every(({ status }) => status === 200);
  });
  await wait('the last callback is taken', async () => simulator.pending() === 0);
  if (simulator.lost() > 0) problems.push(`${simulator.lost()} callbacks were never taken`);
  await wait('all runs of bots have ended', ended);
  await attempt(() => cluster.problems({ mayBeOpen: true }));
  await attempt(() => sweepAll(cluster));
  await wait('all webhooks are delivered', async () =>
    new Set(toldIn(await log())).isSubsetOf(deliveredTo(callee)),
  );
  const events = await log();
  const delivered = deliveredTo(callee);
  problems.push(
    ...checkCallbacks(events, seen),
    ...checkBots(events, seen),
    ...problemOf(
      'a webhook was not delivered',
      toldIn(events).filter((id) => !delivered.has(id)),
    ),
  );
  await attempt(() => cluster.problems());
  return problems;
};
