import { loadConfig } from '../../src/config.ts';
import { run } from '../../src/run.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { keepThreadsSmall, settleMemory } from '../../src/shared/memory.ts';
import { answerBench, tellBench } from './measure.ts';
import { SECRET_HEX } from './secret.ts';

// Waybill with the embedded stores and all its parts; with a role, one process over both servers.

const [providerUrl = '', directory = '', role] = process.argv.slice(2);
const { EVENTSTORE_URL, MONGODB_URL } = process.env;
const config = loadConfig({
  PORT: '0',
  WAYBILL_DATA: directory,
  WAYBILL_SECRET: SECRET_HEX,
  WAYBILL_ADMIN_TOKEN: 'bench-administrator-token',
  WAYBILL_PROVIDER_URL: providerUrl,
  WAYBILL_APP_SECRET: 'bench-app-secret',
  WAYBILL_VERIFY_TOKEN: 'bench-verify-token',
  WAYBILL_FORWARD_ALLOW: '127.0.0.1',
  LOG_LEVEL: 'info',
  ...(role !== undefined && { EVENTSTORE_URL, MONGODB_URL, WAYBILL_ROLE: role }),
});
// Imported only here: the embedded form does not load the drivers.
const counted = role === undefined ? undefined : await import('./counted.ts');
counted?.countCalls();
const startedAt = performance.now();
const logger = createLogger({ level: config.logLevel });
keepThreadsSmall();
const running = await run(config, {
  logger,
  onFatal: (error) => {
    throw error;
  },
});
settleMemory();
tellBench({ port: running.server.port, startMs: performance.now() - startedAt });

answerBench({ stop: running.stop, calls: () => counted?.calls });
