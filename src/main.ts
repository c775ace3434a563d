import { ConfigError, loadConfig } from './config.ts';
import { createLogger } from './logger.ts';
import { keepThreadsSmall, settleMemory } from './memory.ts';
import { run } from './run.ts';

/** How long a stop may take in all before the process ends without it. */
const STOP_TIMEOUT_MS = 40_000;

const say = (line: string) => process.stderr.write(`${line}\n`);

const refuse = (error: unknown): never => {
  const problems = error instanceof ConfigError ? error.problems : [(error as Error).message];
  for (const problem of problems) say(`waybill: ${problem}`);
  process.exit(1);
};

const start = async () => {
  const config = loadConfig(process.env);
  const logger = createLogger({ level: config.logLevel });
  if (!config.provider.appSecret || !config.provider.verifyToken) {
    logger.warn('The webhook answers 503: WAYBILL_APP_SECRET or WAYBILL_VERIFY_TOKEN is not set');
  }
  keepThreadsSmall();
  const running = await run(config, {
    logger,
    onFatal(err) {
      logger.fatal({ err }, 'The log can no longer be written: the process ends');
      process.exit(1);
    },
  });
  const { host, port } = running.server;
  logger.info(`Waybill listens on http://${host}:${port}/api`);
  settleMemory();

  let stopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    logger.info({ signal }, 'Stopping');
    const late = setTimeout(() => {
      logger.error('The stop took too long: the process ends');
      process.exit(1);
    }, STOP_TIMEOUT_MS);
    await running.stop();
    clearTimeout(late);
    logger.info('Stopped');
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      stop(signal).catch((err) => {
        logger.fatal({ err }, 'Could not stop cleanly');
        process.exit(1);
      });
    });
  }
};

await start().catch(refuse);
