import type { Tracing } from '../../shared/tracing.ts';
import type { TracingDeps } from './sdk.ts';
import type { TracingSettings } from './settings.ts';

/** Loads the SDK and opens the exporter; undefined while traces are off, and nothing is loaded then. */
export const openTracing = async (
  settings: TracingSettings | null,
  deps: TracingDeps,
): Promise<Tracing | undefined> => {
  if (!settings) return undefined;
  const { createTracing } = await import('./sdk.ts');
  return createTracing(settings, deps);
};
