import { loadConfig } from '../../../src/config.ts';
import type { Metrics } from '../../../src/http/ops/metrics.ts';
import { type Running, run } from '../../../src/run.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { startProblem } from '../../../src/shared/start-problem.ts';
import { environmentOf } from '../waybill.ts';
import type { ChildOptions } from './child.ts';

// The program without a process of its own: a tenth of the time, for what needs no exit status.

/** Starts the service as its program does. */
export const startHere = (options: ChildOptions, metrics?: Metrics): Promise<Running> =>
  run(loadConfig(environmentOf(options)), {
    logger: createLogger({ level: 'silent' }),
    onFatal: (error) => {
      throw error;
    },
    ...(metrics && { metrics }),
  });

/** Starts and stops it. */
export const runHere = async (options: ChildOptions): Promise<void> =>
  (await startHere(options)).stop();

/** The line with which the program would end instead of starting. */
export const refusalHere = async (options: ChildOptions): Promise<string> => {
  const running = await startHere(options).catch((error: unknown) => error as Error);
  if (running instanceof Error) return `waybill: ${startProblem(running, () => '')}\n`;
  await running.stop();
  return 'it has started\n';
};
