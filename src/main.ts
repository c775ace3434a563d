import { MissingKeys, OldKeys } from './commands/core/data-keys.ts';
import { WrongSecret } from './commands/core/installation.ts';
import { ConfigError, loadConfig } from './config.ts';
import { OtherFormat } from './events/store.ts';
import { LockedKey } from './keys/installation-key.ts';
import { type Running, run } from './run.ts';
import { createLogger, endOnFault, type Logger } from './shared/logger.ts';
import { keepThreadsSmall, settleMemory } from './shared/memory.ts';
import { startProblem } from './shared/start-problem.ts';
import { currentTraceId } from './shared/trace-context.ts';

/** After the requests under way have had their time, the rest of a stop takes this long at most. */
const CLOSING_MS = 10_000;
/** The process ends when the whole stop takes longer than this; by the setting once that is read. */
let stopWithinMs = 30_000 + CLOSING_MS;

const say = (line: string) => process.stderr.write(`${line}\n`);

const refuse = (error: unknown): never => {
  const remedyOf = (port: number) => {
    const isOperations = String(port) === process.env.WAYBILL_OPS_PORT;
    return `stop that program, or set ${isOperations ? 'WAYBILL_OPS_PORT' : 'PORT'} to a free one`;
  };
  const problems = error instanceof ConfigError ? error.problems : [startProblem(error, remedyOf)];
  for (const problem of problems) say(`waybill: ${problem}`);
  process.exit(1);
};

/**
 * Resolves with the first signal to end. The handlers are set before anything is opened: a process
 * that gets the signal while it starts finishes the start and then stops in order. The first process
 * of a container would ignore a signal without a handler.
 */
const stopSignal = new Promise<NodeJS.Signals>((resolve) => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, resolve);
});

const start = async (): Promise<{ running: Running; logger: Logger }> => {
  const config = loadConfig(process.env);
  stopWithinMs = config.drainTimeoutMs + CLOSING_MS;
  const traceId = config.tracing ? currentTraceId : undefined;
  const logger = createLogger({ level: config.logLevel, traceId });
  endOnFault(logger);
  const { appSecrets, verifyTokens } = config.provider;
  if (appSecrets.length === 0 || verifyTokens.length === 0) {
    logger.warn('The webhook answers 503: WAYBILL_APP_SECRET or WAYBILL_VERIFY_TOKEN is not set');
  }
  keepThreadsSmall();
  const running = await run(config, {
    logger,
    onFatal(err) {
      const mayNotStart = [WrongSecret, LockedKey, MissingKeys, OldKeys, OtherFormat].some(
        (one) => err instanceof one,
      );
      if (mayNotStart) refuse(err);
      logger.fatal({ err }, 'The log or the data keys can no longer be written: the process ends');
      process.exit(1);
    },
  });
  const { host, port } = running.server;
  logger.info(`Waybill listens on http://${host}:${port}/api`);
  const { operations } = running;
  if (operations) {
    logger.info(`Health and metrics are at http://${operations.host}:${operations.port}`);
  }
  settleMemory();
  return { running, logger };
};

const stop = async (running: Running, logger: Logger, signal: NodeJS.Signals) => {
  logger.info({ signal }, 'Stopping');
  try {
    await running.stop();
    logger.info('Stopped');
  } catch (err) {
    logger.fatal({ err }, 'Could not stop cleanly');
    process.exit(1);
  }
};

const limitTimeOfStop = async () => {
  await stopSignal;
  const late = setTimeout(() => {
    say('waybill: The stop took too long: the process ends');
    process.exit(1);
  }, stopWithinMs);
  late.unref();
};

void limitTimeOfStop();
const { running, logger } = await start().catch(refuse);
await stop(running, logger, await stopSignal);
