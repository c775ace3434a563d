import { loadConfig } from '../../src/config.ts';
import { run } from '../../src/run.ts';
import { createLogger } from '../../src/shared/logger.ts';
import { keepThreadsSmall, settleMemory } from '../../src/shared/memory.ts';
import { answerBench, tellBench } from './measure.ts';

// Waybill with the embedded stores and all its parts.

const [providerUrl = '', directory = ''] = process.argv.slice(2);
const config = loadConfig({
  PORT: '0',
  WAYBILL_DATA: directory,
  WAYBILL_SECRET: 'b'.repeat(64),
  WAYBILL_ADMIN_TOKEN: 'bench-administrator-token',
  WAYBILL_PROVIDER_URL: providerUrl,
  WAYBILL_APP_SECRET: 'bench-app-secret',
  WAYBILL_VERIFY_TOKEN: 'bench-verify-token',
  WAYBILL_FORWARD_ALLOW: '127.0.0.1',
  LOG_LEVEL: 'info',
});
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

answerBench({ stop: running.stop });
