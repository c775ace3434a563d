import { registerHooks } from 'node:module';
import {
  type EventStoreDbOptions,
  type EventStoreDbStore,
  openEventStoreDb as openLog,
} from '../../src/events/eventstoredb/store.ts';
import { viewsOver as realViewsOver } from '../../src/projections/mongodb/views.ts';

/** Calls to both servers so far. */
export const calls = { appends: 0, reads: 0 };

const counting = <T extends object>(port: T, kind: keyof typeof calls, names: (keyof T)[]): T => {
  const counted = Object.fromEntries(
    names.map((name) => {
      const call = port[name] as (...args: unknown[]) => unknown;
      return [
        name,
        (...args: unknown[]) => {
          calls[kind] += 1;
          return call(...args);
        },
      ];
    }),
  );
  return { ...port, ...counted };
};

export const openEventStoreDb = async (
  options: EventStoreDbOptions,
): Promise<EventStoreDbStore> => {
  const log = counting(await openLog(options), 'appends', ['append']);
  return counting(log, 'reads', ['read', 'readAll', 'head', 'loadSnapshot']);
};

export const viewsOver: typeof realViewsOver = (...given) =>
  counting(realViewsOver(...given), 'reads', ['get', 'getMany', 'find', 'scan']);

const COUNTED = ['./events/eventstoredb/store.ts', './projections/mongodb/views.ts'];

/** Makes the service open its stores through this module. */
export const countCalls = (): void => {
  registerHooks({
    resolve(specifier, context, next) {
      const isStore = COUNTED.includes(specifier) && context.parentURL?.endsWith('/src/run.ts');
      return next(isStore ? import.meta.url : specifier, context);
    },
  });
};
