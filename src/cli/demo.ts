import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, loadConfig } from '../config.ts';
import { createLogger } from '../logger.ts';
import { createSimulator } from '../provider/simulator.ts';
import { type Running, run } from '../run.ts';
import { createDemoClient } from './demo/client.ts';
import { curlLines, say, showLedger } from './demo/print.ts';
import { askBot, type DemoTenant, openTenant, sendFirstMessage } from './demo/steps.ts';

/** Where the demo listens unless PORT says otherwise; taken already, any free port will do. */
const PORT = '8080';

const secretsOfDemo = () => ({
  WAYBILL_SECRET: randomBytes(32).toString('hex'),
  WAYBILL_ADMIN_TOKEN: randomBytes(24).toString('base64url'),
  WAYBILL_APP_SECRET: randomBytes(16).toString('hex'),
  WAYBILL_VERIFY_TOKEN: randomBytes(16).toString('hex'),
});

const isTaken = (error: unknown) => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

/** Starts on the asked port; when nobody asked and the usual one is taken, on a free one. */
const startService = async (environment: Record<string, string>, port: string | undefined) => {
  const start = async (chosen: string): Promise<{ running: Running; config: Config }> => {
    const config = loadConfig({ ...environment, PORT: chosen });
    // Standard output is for the reader, or for the one line of --json.
    const logger = createLogger({ level: config.logLevel, destination: process.stderr });
    const onFatal = (err: unknown) => {
      logger.fatal({ err }, 'The log can no longer be written');
      process.exit(1);
    };
    return { running: await run(config, { logger, onFatal }), config };
  };
  try {
    return await start(port ?? PORT);
  } catch (error) {
    if (port !== undefined || !isTaken(error)) throw error;
    return start('0');
  }
};

const main = async () => {
  const json = process.argv.includes('--json');
  const line = json ? () => undefined : say;
  const startedAt = performance.now();
  const directory = mkdtempSync(join(tmpdir(), 'waybill-demo-'));
  const secrets = secretsOfDemo();
  const simulator = createSimulator({ appSecret: secrets.WAYBILL_APP_SECRET });
  const providerUrl = await simulator.start();
  const environment = {
    ...secrets,
    WAYBILL_DATA: directory,
    WAYBILL_PROVIDER_URL: providerUrl,
    // Bots and forwards of a demo have nobody else to talk to than this machine.
    WAYBILL_FORWARD_ALLOW: '127.0.0.0/8',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    ...(process.env.HOST && { HOST: process.env.HOST }),
  };
  const { running, config } = await startService(environment, process.env.PORT);
  const { host, port } = running.server;
  const baseUrl = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}/api`;
  simulator.configure({ webhookUrl: `${baseUrl}/provider/webhook` });

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await running.stop();
    await simulator.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop());

  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  line(`Waybill serves ${baseUrl}, with a simulated provider at ${providerUrl} (${seconds} s).\n`);
  const client = createDemoClient(baseUrl, config.adminToken);
  try {
    const tenant: DemoTenant = await openTenant(client, line);
    const sent = await sendFirstMessage(client, tenant, line);
    if (!json) {
      showLedger(sent, line);
      const customerWrites = (from: string, text: string) =>
        simulator.inbound(from, { text, name: 'Mia', phoneNumberId: tenant.phoneNumberId });
      const botId = await askBot(client, tenant, customerWrites, line);
      const { adminToken } = config;
      const bot = { botId, providerUrl };
      curlLines({ baseUrl, adminToken, tenant, sent, bot }).forEach(say);
      return;
    }
    const { apiKey, organisationId, accountId, phoneNumberId, wabaId } = tenant;
    const { WAYBILL_APP_SECRET: appSecret, WAYBILL_VERIFY_TOKEN: verifyToken } = secrets;
    const ids = { apiKey, organisationId, accountId, phoneNumberId, wabaId };
    const { adminToken } = config;
    const ready = { baseUrl, adminToken, ...ids, providerUrl, appSecret, verifyToken };
    process.stdout.write(`${JSON.stringify(ready)}\n`);
  } catch (error) {
    await stop();
    throw error;
  }
};

await main().catch((error) => {
  process.stderr.write(`waybill demo: ${(error as Error).message}\n`);
  process.exit(1);
});
