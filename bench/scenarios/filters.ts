import type { History, Scenario } from '../bench.ts';
import { call, latencies, type Target } from '../loads.ts';
import { median, ratios } from '../support.ts';
import { sendsOf } from '../tenant.ts';

const REQUESTS = 9;
const OTHERS_REQUESTS = 100;
const AT_A_TIME = 4;
const WORST_SHOWN = 5;

/** A filter with a value: `type=none` matches nothing. */
interface Filter {
  name: string;
  value: string;
}

const pageOf = (url: string, { headers }: History['busy'], filters: readonly Filter[]): Target => {
  const query = filters.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join('&');
  return {
    name: filters.map(({ name, value }) => `${name}=${value}`).join(' ') || 'unfiltered',
    url,
    headers,
    requests: [{ path: `/api/v1/messages?${query}` }],
  };
};

interface Message {
  contactWaId?: string;
  recipientWaId: string;
  conversationId: string;
  createdAt: string;
}

/** Values that match no message, some and all. */
const filtersOf = (busy: History['busy'], newest: Message): Filter[] => {
  const values: Record<string, readonly string[]> = {
    contact: ['910000000000', newest.recipientWaId],
    conversationId: ['none', newest.conversationId],
    clientReference: ['none'],
    event: ['otp_verification', 'order_shipped'],
    status: ['failed', 'read', 'sent'],
    phoneNumberId: ['none', busy.phoneNumberId],
    direction: ['inbound', 'outbound'],
    messageType: ['image', 'template'],
    since: ['2100-01-01T00:00:00Z', newest.createdAt, '2000-01-01T00:00:00Z'],
    until: ['2000-01-01T00:00:00Z', newest.createdAt, '2100-01-01T00:00:00Z'],
  };
  return Object.entries(values).flatMap(([name, all]) => all.map((value) => ({ name, value })));
};

const pairsOf = (filters: readonly Filter[]): Filter[][] =>
  filters.flatMap((one, at) =>
    filters.slice(at + 1).flatMap((other) => (one.name === other.name ? [] : [[one, other]])),
  );

/** Median latency of each target relative to the unfiltered page, which takes as many turns. */
const against = async (plain: Target, targets: readonly Target[]): Promise<number[]> => {
  const shares: number[] = [];
  for (const target of targets) {
    const [base = 0, one = 0] = await latencies([plain, target], REQUESTS);
    shares.push(one / base);
  }
  return shares;
};

/** Reads a number of pages at a time until it is stopped. */
const hammer = (targets: readonly Target[]) => {
  let going = true;
  const loops = Array.from({ length: AT_A_TIME }, async (_, index) => {
    let answered = 0;
    for (let turn = index; going; turn += 1) {
      await latencies([targets[turn % targets.length]!], 1);
      answered += 1;
    }
    return answered;
  });
  return async () => {
    going = false;
    return (await Promise.all(loops)).reduce((sum, one) => sum + one, 0);
  };
};

export const filters: Scenario = {
  name: 'filters',
  ids: ['S14'],
  about: 'a long history by each filter and each pair, and the effect on other accounts',
  async run(bench) {
    const { directory, messages, busy, fresh } = await bench.history();
    const provider = await bench.start('provider.ts');
    const waybill = await bench.start('waybill.ts', [provider.url, directory]);
    const path = `${waybill.url}/api/v1/messages?limit=1`;
    const newest = await call<{ messages: Message[] }>(path, busy.headers);
    const all = filtersOf(busy, newest.messages[0]!);
    const plain = pageOf(waybill.url, busy, []);
    const targets = [...all.map((one) => [one]), ...pairsOf(all)].map((some) =>
      pageOf(waybill.url, busy, some),
    );
    await latencies([plain, ...targets], 1);
    const shares = await against(plain, targets);
    const worst = targets
      .map(({ name }, at) => ({ name, share: shares[at]! }))
      .sort((one, other) => other.share - one.share);
    bench.say(`  ${targets.length} pages, after ${messages} messages; the slowest:`);
    for (const { name, share } of worst.slice(0, WORST_SHOWN)) {
      bench.say(`  ${share.toFixed(2)}  ${name}`);
    }
    const slowest = targets.filter(({ name }) =>
      worst.slice(0, WORST_SHOWN).some((one) => one.name === name),
    );
    const worstOf = async () => {
      const [base = 1, ...others] = await latencies([plain, ...slowest], 5 * REQUESTS);
      return Math.max(...others) / base;
    };
    const rounds: number[] = [];
    for (let round = 0; round < bench.rounds(5); round += 1) rounds.push(await worstOf());
    bench.row({
      id: 'S14',
      what: 'slowest filtered page: p50 relative to an unfiltered one',
      values: rounds,
      goal: { most: 3 },
    });
    bench.row({
      id: 'S14',
      what: 'median filtered page: p50 relative to an unfiltered one',
      values: [median(shares)],
    });

    const others = {
      send: sendsOf(waybill.url, fresh),
      page: pageOf(waybill.url, fresh, []),
    };
    for (const [what, target] of Object.entries(others)) {
      const times = { alone: [] as number[], beside: [] as number[] };
      let answered = 0;
      await latencies([target], OTHERS_REQUESTS);
      for (let round = 0; round < bench.rounds(7); round += 1) {
        times.alone.push(...(await latencies([target], OTHERS_REQUESTS)));
        const stop = hammer(slowest);
        times.beside.push(...(await latencies([target], OTHERS_REQUESTS)));
        answered += await stop();
      }
      bench.row({
        id: 'S14',
        what: `another account's ${what} beside ${AT_A_TIME} such: p50 relative to without`,
        values: ratios(times.beside, times.alone),
        goal: { most: 1.5 },
      });
      bench.say(
        `  ${median(times.beside).toFixed(2)} ms against ${median(times.alone).toFixed(2)} ms; ${answered} filtered pages were answered meanwhile`,
      );
    }
  },
};
