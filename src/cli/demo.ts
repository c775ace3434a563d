import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../config.ts';
import type { DemoSecrets } from '../http/reference/page.ts';
import { createSimulator } from '../provider/simulator/simulator.ts';
import { type Running, run } from '../run.ts';
import { createLogger } from '../shared/logger.ts';
import { isPortTaken, startProblem } from '../shared/start-problem.ts';
import { keep, type Made, readKept } from './demo/kept.ts';
import { readableLog } from './demo/log-line.ts';
import { curlLines, exportLines, say, showLedger } from './demo/print.ts';
import { DEFAULT_PORT, DEMO_HELP, type DemoSettings, readDemoSettings } from './demo/settings.ts';
import { askBot, consoleLink, openTenant, sendFirstMessage, templatesAt } from './demo/steps.ts';

type Secrets = ReturnType<typeof secretsOfDemo>;

const secretsOfDemo = () => ({
  WAYBILL_SECRET: randomBytes(32).toString('hex'),
  WAYBILL_ADMIN_TOKEN: randomBytes(24).toString('base64url'),
  WAYBILL_APP_SECRET: randomBytes(16).toString('hex'),
  WAYBILL_VERIFY_TOKEN: randomBytes(16).toString('hex'),
  WAYBILL_SEAL_KEY: randomBytes(32).toString('hex'),
});

/** Starts on the given port. Without one: on the default port, or on a free one where that is taken. */
const startService = async (environment: Record<string, string>, { port, json }: DemoSettings) => {
  const start = async (chosen: string): Promise<Running> => {
    const config = loadConfig({ ...environment, PORT: chosen });
    // Standard output holds what the demo prints, or the one line of --json.
    const destination = json ? process.stderr : readableLog((text) => process.stderr.write(text));
    const logger = createLogger({ level: config.logLevel, destination });
    const onFatal = (err: unknown) => {
      logger.fatal({ err }, 'The log or the data keys can no longer be written');
      process.exit(1);
    };
    return run(config, { logger, onFatal, demoSecrets: () => shown });
  };
  try {
    return await start(port ?? DEFAULT_PORT);
  } catch (error) {
    if (port !== undefined || !isPortTaken(error)) throw error;
    if (!json) say(`Port ${DEFAULT_PORT} is taken: the demo takes a free one; --port chooses it.`);
    return start('0');
  }
};

/** What the reference fills in, once the tenant exists. */
let shown: DemoSecrets | undefined;

const closing: (() => unknown)[] = [];
/** Closes everything in the reverse order of opening. */
const closeAll = async () => {
  for (const close of closing.splice(0).reverse()) await close();
};

/** How to call a service that listens on all addresses. */
const OPEN_TO_ALL: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

/** Starts the service and its simulated provider. */
const open = async (settings: DemoSettings) => {
  const { data } = settings;
  const directory = data ?? mkdtempSync(join(tmpdir(), 'waybill-demo-'));
  if (data === undefined) closing.push(() => rmSync(directory, { recursive: true, force: true }));
  const kept = readKept<Secrets>(directory) ?? { secrets: secretsOfDemo(), made: null };
  const { secrets, made } = kept;
  keep(directory, kept);
  const simulator = createSimulator({ appSecret: secrets.WAYBILL_APP_SECRET });
  for (const template of made?.templates ?? []) {
    simulator.setTemplate(made!.tenant.wabaId, template);
  }
  const providerUrl = await simulator.start();
  closing.push(() => simulator.stop());
  const environment = {
    ...secrets,
    WAYBILL_DATA: directory,
    WAYBILL_PROVIDER_URL: providerUrl,
    // Bots and forwards of the demo may call this machine.
    WAYBILL_FORWARD_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    ...(process.env.HOST && { HOST: process.env.HOST }),
  };
  const running = await startService(environment, settings);
  closing.push(() => running.stop());
  const { host, port } = running.server;
  const baseUrl = `http://${OPEN_TO_ALL[host] ?? host}:${port}/api`;
  simulator.configure({ webhookUrl: `${baseUrl}/provider/webhook` });
  const adminToken = secrets.WAYBILL_ADMIN_TOKEN;
  return { simulator, providerUrl, host, baseUrl, directory, kept, adminToken };
};

type Demo = Awaited<ReturnType<typeof open>>;

/** Creates a tenant, sends, and lets a bot answer. */
const make = async (
  { simulator, providerUrl, baseUrl, adminToken }: Demo,
  json: boolean,
  line: (text: string) => void,
): Promise<Made> => {
  const tenant = await openTenant(baseUrl, adminToken, line);
  const sent = await sendFirstMessage(baseUrl, tenant, line);
  const templates = await templatesAt(providerUrl, tenant);
  if (json) return { tenant, sent, templates, botId: undefined };
  showLedger(sent, line);
  const customerWrites = (from: string, text: string) =>
    simulator.inbound(from, { text, name: 'Mia', phoneNumberId: tenant.phoneNumberId });
  const botId = await askBot(baseUrl, tenant, customerWrites, line);
  return { tenant, sent, templates, botId };
};

/** Prints what was made, now or at an earlier start; with `--json` only how to call the service. */
const show = async (demo: Demo, json: boolean, line: (text: string) => void) => {
  const { providerUrl, host, baseUrl, directory, kept, adminToken } = demo;
  const { secrets } = kept;
  if (kept.made) line(`Goes on with the account of ${directory}: ${kept.made.tenant.accountId}`);
  const made = kept.made ?? (await make(demo, json, line));
  const { tenant, sent, botId } = made;
  keep(directory, { secrets, made });
  // Only a page on this machine may show them.
  if (host === '127.0.0.1' || host === '[::1]') {
    shown = { apiKey: tenant.apiKey, adminToken };
  }
  if (!json) {
    const bot = botId === undefined ? {} : { bot: { botId, providerUrl } };
    const shown = { baseUrl, adminToken, tenant, sent, ...bot };
    curlLines(shown).forEach(say);
    say(
      `\nThe console, signed in (once, within 10 minutes): ${await consoleLink(baseUrl, adminToken)}`,
    );
    exportLines(shown).forEach(say);
    return;
  }
  const { apiKey, organisationId, accountId, phoneNumberId, wabaId } = tenant;
  const { WAYBILL_APP_SECRET: appSecret, WAYBILL_VERIFY_TOKEN: verifyToken } = secrets;
  const ids = { apiKey, organisationId, accountId, phoneNumberId, wabaId };
  const ready = { baseUrl, adminToken, ...ids, providerUrl, appSecret, verifyToken };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
};

/** Listens from the start, so that a signal during the start closes everything too. */
const stopAsked = new Promise<void>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => resolve());
  // The reader of a pipe has left, as `head` does.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => resolve());
});

const main = async (settings: DemoSettings) => {
  const { json } = settings;
  const line = json ? () => undefined : say;
  const startedAt = performance.now();
  const demo = await open(settings);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  line(
    `Started in ${seconds} s: Waybill at ${demo.baseUrl}, a simulated provider at ${demo.providerUrl}\n`,
  );
  await Promise.race([show(demo, json, line), stopAsked]);
  await stopAsked;
};

const settingsOrEnd = (): DemoSettings => {
  try {
    return readDemoSettings(process.argv.slice(2), process.env);
  } catch (error) {
    process.stderr.write(
      `error: ${(error as Error).message}\n(add --help to see how it is used)\n`,
    );
    process.exit(2);
  }
};

const settings = settingsOrEnd();
if (settings.help) {
  process.stdout.write(DEMO_HELP);
  process.exit();
}
try {
  await main(settings);
} catch (error) {
  const problem = startProblem(error, () => 'stop that program, or choose a free one with --port');
  process.stderr.write(`waybill demo: ${problem}\n`);
  process.exitCode = 1;
}
await closeAll();
// Ends calls to the service that is now closed.
process.exit();
