import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadConfig } from '../../src/config.ts';
import { run } from '../../src/run.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { call } from '../loads.ts';
import { SECRET_HEX } from '../programs/secret.ts';
import { addBot, deliver, delivery, inbound, status } from '../provider-calls.ts';
import { killProgram, startProgram, temporaryFolder } from '../support.ts';
import { ADMIN, openTenant, type Tenant } from '../tenant.ts';
import { countCalls, forgetCalls, listCalls, type Place } from './calls.ts';
import { holdTimers, pause } from './timers.ts';

// How much of the program one piece of work enters, in the main thread of the embedded service: what
// a reader would have to follow, and what every message pays for. Counts, not times: the same on any
// machine.

const HELP = `npm run path -- [options]
  --json          prints the figures as JSON
  --list <name>   also lists the calls of this piece of work by file
  --order <name>  also lists the calls of this piece of work in their order
  --keep          writes the figures to bench/path/held.json, which the tests hold
`;

/** What one piece of work entered. `changes` counts how often a call lies in another file than the last. */
export interface Figures {
  files: number;
  functions: number;
  calls: number;
  changes: number;
  appends: number;
  /** Those that the caller waits for. */
  appendsUntilAnswer: number;
  reads: number;
  decryptions: number;
}

/** The functions whose calls are counted apart. */
const COUNTED: Readonly<Record<'appends' | 'reads' | 'decryptions', Place>> = {
  appends: { file: 'events/sqlite/store.ts', name: 'append' },
  reads: { file: 'events/sqlite/reading.ts', name: 'readStream' },
  decryptions: { file: 'shared/aes.ts', name: 'decrypt' },
};
/** Where the answer is written. */
const ANSWER: Place = { file: 'http/edge/respond.ts', name: 'send' };

/** Work is over once nothing was called for this long. */
const QUIET_MS = 150;
/** Before a piece of work is measured, the caches have what it needs. */
const WARM_UP = 3;
/** The least of so many: what is written in the background may end a batch in one of them. */
const REPEATS = 5;

const keyOf = ({ file, name }: Place): string => `${file} ${name}`;

const figuresOf = (calls: readonly Place[]): Figures => {
  const is = (one: Place) => (place: Place) => place.file === one.file && place.name === one.name;
  const of = (one: Place, among = calls) => among.filter(is(one)).length;
  return {
    files: new Set(calls.map(({ file }) => file)).size,
    functions: new Set(calls.map(keyOf)).size,
    calls: calls.length,
    changes: calls.filter(({ file }, index) => index > 0 && calls[index - 1]!.file !== file).length,
    appends: of(COUNTED.appends),
    appendsUntilAnswer: of(COUNTED.appends, calls.slice(0, calls.findIndex(is(ANSWER)))),
    reads: of(COUNTED.reads),
    decryptions: of(COUNTED.decryptions),
  };
};

/** Resolves once the service rests. */
const settled = async (): Promise<void> => {
  for (let before = -1; before !== countCalls(); await pause(QUIET_MS)) before = countCalls();
};

const callsOf = async (work: () => Promise<unknown>): Promise<Place[]> => {
  const release = holdTimers();
  try {
    await settled();
    forgetCalls();
    await work();
    await settled();
    return listCalls();
  } finally {
    release();
  }
};

/** The run with the fewest calls. `before` prepares a run, and is not part of it. */
const leastOf = async (
  work: (index: number) => Promise<unknown>,
  before: (index: number) => Promise<unknown> = async () => undefined,
): Promise<Place[]> => {
  const runs: Place[][] = [];
  for (let index = 0; index < WARM_UP + REPEATS; index += 1) {
    await before(index);
    const calls = await callsOf(() => work(index));
    if (index >= WARM_UP) runs.push(calls);
  }
  return runs.reduce((least, calls) => (calls.length < least.length ? calls : least));
};

const numberOf = (index: number): string => `+91981234${5000 + index}`;

const bodyOf = (index: number, to = numberOf(index)): string =>
  JSON.stringify({
    to,
    event: 'order_shipped',
    variables: { orderId: `A-${index}`, awbCode: 'AWB', trackingLink: 'https://shop.example/t' },
  });

/** The pieces of work, each done again and again on a service that is warm. */
const worksOn = (url: string, tenant: Tenant) => {
  const send = (index: number, headers = {}, to?: string) =>
    call<{ messageId: string }>(
      `${url}/api/v1/notifications/send`,
      { ...tenant.headers, ...headers },
      { method: 'POST', body: bodyOf(index, to) },
    );
  let messageId: string;
  const tell = (word: string, index: number) =>
    deliver(url, delivery(tenant, [status(messageId, word, numberOf(index).slice(1))]));
  const erased = (index: number) => `+9198999${10_000 + index}`;
  return {
    send: () => leastOf((index) => send(index)),
    keyed: () => leastOf((index) => send(index, { 'idempotency-key': `path-${index}` })),
    status: () =>
      leastOf(
        (index) => tell('delivered', index),
        async (index) => {
          ({ messageId } = await send(index));
          await tell('sent', index);
        },
      ),
    async bot() {
      await addBot(url, tenant, 'hours');
      return leastOf((index) => deliver(url, delivery(tenant, [inbound('hours', index)])));
    },
    erasure: () =>
      leastOf(
        (index) => {
          const body = JSON.stringify({ contact: erased(index) });
          return call(`${url}/api/admin/v1/erasures`, ADMIN, { method: 'POST', body });
        },
        async (index) => {
          for (let sent = 0; sent < 5; sent += 1) await send(sent, {}, erased(index));
          await pause(QUIET_MS);
        },
      ),
  };
};

const WORDS = {
  send: 'a send',
  keyed: 'a send with an Idempotency-Key',
  status: "a message's second status",
  bot: "a customer's message and a bot's answer",
  erasure: 'an erasure of a contact with five messages',
} as const;
type Name = keyof typeof WORDS;
const names = Object.keys(WORDS) as Name[];

const startService = async (providerUrl: string, directory: string) => {
  return run(
    loadConfig({
      PORT: '0',
      WAYBILL_DATA: directory,
      WAYBILL_SECRET: SECRET_HEX,
      WAYBILL_ADMIN_TOKEN: ADMIN.authorization.replace('Bearer ', ''),
      WAYBILL_PROVIDER_URL: providerUrl,
      WAYBILL_APP_SECRET: 'bench-app-secret',
      WAYBILL_VERIFY_TOKEN: 'bench-verify-token',
      LOG_LEVEL: 'error',
    }),
    {
      logger: createLogger({ level: 'error' }),
      onFatal: (error) => {
        throw error;
      },
    },
  );
};

const measure = async (): Promise<Record<Name, Place[]>> => {
  const folder = temporaryFolder();
  const provider = await startProgram('provider.ts');
  try {
    const service = await startService(provider.url, folder.path);
    const url = `http://127.0.0.1:${service.server.port}`;
    const works = worksOn(url, await openTenant(url));
    const measured: Partial<Record<Name, Place[]>> = {};
    for (const name of names) measured[name] = await works[name]();
    await service.stop();
    return measured as Record<Name, Place[]>;
  } finally {
    await killProgram(provider);
    folder.remove();
  }
};

const say = (line: string) => process.stdout.write(`${line}\n`);

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    list: { type: 'string' },
    order: { type: 'string' },
  },
});
if (values.help) {
  say(HELP);
  process.exit(0);
}

const measured = await measure();
const figures = Object.fromEntries(names.map((name) => [name, figuresOf(measured[name])]));
const heldFile = join(import.meta.dirname, 'held.json');
if (values.keep) writeFileSync(heldFile, `${JSON.stringify(figures, null, 2)}\n`);
if (values.json) say(JSON.stringify(figures));
else {
  const held = JSON.parse(readFileSync(heldFile, 'utf8')) as Record<Name, Figures>;
  for (const name of names) {
    say(WORDS[name]);
    for (const [figure, value] of Object.entries(figures[name]!)) {
      const before = held[name]?.[figure as keyof Figures];
      say(
        `  ${figure.padEnd(18)}${String(value).padStart(6)}${value === before ? '' : `  (held: ${before})`}`,
      );
    }
  }
}
for (const place of measured[values.order as Name] ?? []) say(keyOf(place));
if (values.list) {
  const count = new Map<string, number>();
  for (const place of measured[values.list as Name] ?? []) {
    count.set(keyOf(place), (count.get(keyOf(place)) ?? 0) + 1);
  }
  for (const [place, times] of [...count].sort()) say(`${String(times).padStart(6)}  ${place}`);
}
process.exit(0);
