import type { Bench, Scenario } from '../bench.ts';
import { call, type Steady, steady, type Target } from '../loads.ts';
import { measureOf, type Started, timed } from '../support.ts';
import { ADMIN, sendsOf, type Tenant } from '../tenant.ts';

const MESSAGES_MAX = 100_000;
/** The contact of a history with one contact. */
const CONTACT = '919810000000';
const SENDS = { connections: 16, rate: 50 };
const PAGES = { connections: 8, rate: 20 };
/** The loads run in slices until the erasure is done. */
const SLICE_SECONDS = 2;

interface Found {
  id: string;
  state: 'queued' | 'running' | 'done';
  found: Readonly<Record<string, number>> | null;
}

/** The sends and the reads of another account for a while: the worst p99 of each, and of the loop. */
const createLoads = (waybill: Started, { headers }: Tenant, sends: Target) => {
  const pages: Target = {
    name: 'page',
    url: waybill.url,
    headers,
    requests: [{ path: '/api/v1/messages?limit=50' }],
  };
  return async (isOver: () => Promise<boolean>) => {
    const slices: Record<'send' | 'page', Steady[]> = { send: [], page: [] };
    await measureOf(waybill);
    do {
      const seconds = SLICE_SECONDS;
      const [send, page] = await Promise.all([
        steady(sends, { ...SENDS, seconds }),
        steady(pages, { ...PAGES, seconds }),
      ]);
      slices.send.push(send);
      slices.page.push(page);
    } while (!(await isOver()));
    const worst = (all: readonly Steady[]) => Math.max(...all.map(({ p99Ms }) => p99Ms));
    const { loopP99Ms } = await measureOf(waybill);
    return { send: worst(slices.send), page: worst(slices.page), loop: loopP99Ms };
  };
};

const erase = async (
  bench: Bench,
  { url }: Started,
  look: (over: () => Promise<boolean>) => Promise<unknown>,
) => {
  const path = `${url}/api/admin/v1/erasures`;
  const body = JSON.stringify({ contact: CONTACT, reason: 'bench' });
  let erasure = await call<Found>(path, ADMIN, { method: 'POST', body });
  const startedAt = performance.now();
  let ms = 0;
  const isDone = async () => {
    erasure = await call<Found>(`${path}/${erasure.id}`, ADMIN);
    if (erasure.state === 'done' && ms === 0) ms = performance.now() - startedAt;
    return erasure.state === 'done';
  };
  await look(isDone);
  bench.say(`  found: ${JSON.stringify(erasure.found)}`);
  return ms;
};

/** Whether the erasure of a contact with very many messages holds up others. */
export const erasure: Scenario = {
  name: 'erasure',
  ids: ['E1'],
  about: 'a contact with 100,000 messages is erased: how long, and what others notice',
  isLong: true,
  async run(bench) {
    const messages = Math.min(bench.options.messages, MESSAGES_MAX);
    const { directory, fresh } = await bench.history(messages, 1);
    const provider = await bench.start('provider.ts');
    const waybill = await bench.start('waybill.ts', [provider.url, directory]);
    const load = createLoads(waybill, fresh, sendsOf(waybill.url, fresh));
    await load(async () => true);
    let left = 5;
    const { value: alone } = await timed(() => load(async () => --left <= 0));
    let beside = alone;
    const ms = await erase(bench, waybill, async (isOver) => {
      beside = await load(isOver);
    });
    bench.row({
      id: 'E1',
      what: `erasure of a contact with ${messages} messages, seconds`,
      values: [ms / 1000],
    });
    for (const what of ['send', 'page', 'loop'] as const) {
      bench.say(
        `  ${what}: p99 ${alone[what].toFixed(1)} ms without, ${beside[what].toFixed(1)} ms beside`,
      );
    }
    for (const what of ['send', 'page'] as const) {
      bench.row({
        id: 'E1',
        what: `another account's ${what} beside it: p99 relative to without`,
        values: [beside[what] / alone[what]],
        goal: { most: 2 },
      });
    }
    bench.row({
      id: 'E1',
      what: 'p99 of the event loop beside it, ms',
      values: [beside.loop],
      goal: { most: 20 },
    });
  },
};
