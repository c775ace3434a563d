import { loadConfig } from '../../src/config.ts';
import { run } from '../../src/run.ts';
import { createLogger } from '../../src/shared/logger.ts';

// The service as the real program runs it, with its clock set on by so many milliseconds: no
// setting shortens the age at which a reservation counts as left behind, but time may have passed.

const offsetMs = Number(process.argv[2]);
const config = loadConfig(process.env);
const logger = createLogger({ level: config.logLevel });
const running = await run(config, {
  logger,
  onFatal: () => process.exit(1),
  clock: { now: () => Date.now() + offsetMs },
});
process.once('SIGTERM', () => void running.stop());
logger.info(`Waybill listens on http://${running.server.host}:${running.server.port}/api`);
