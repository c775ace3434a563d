import { bytesOf } from '../commands/account/free-writes.ts';
import { createContacts } from '../commands/contacts/contacts.ts';
import { createWriter } from '../commands/core/execute.ts';
import { withHeadTimeout } from '../events/head-timeout.ts';
import { createOpening, forgetIn, opened } from '../events/opened.ts';
import type { NewEvent } from '../events/store.ts';
import { createObservedLists } from '../http/route/lists.ts';
import { projections } from '../projections/all.ts';
import { createEngine } from '../projections/engine/engine.ts';
import { secretsOf } from '../shared/secrets.ts';
import { createBadSnapshots } from './books/auditing.ts';
import { createCharging } from './charging.ts';
import type { ServiceDeps } from './deps.ts';
import { observeAppends, observeReads } from './health/observe-writes.ts';
import { createNumberWatch } from './health/watch-numbers.ts';
import { createLookups } from './lookups/lookups.ts';
import { createDataKeys } from './privacy/data-keys.ts';
import { createOnFold, recordFolds } from './tracing/folds.ts';
import { tracedLog, tracedWriter } from './tracing/traced-log.ts';

export type Stores = ReturnType<typeof createStores>;

/** Wires the log, the read models and the look-ups over them, and what writes to the log. */
export const createStores = (deps: ServiceDeps) => {
  const { clock, ids, logger, metrics, bounds, tracing } = deps;
  // An embedded log answers head() from memory.
  const log = deps.store.soleWriter ? deps.store : withHeadTimeout(deps.store);
  const secrets = secretsOf(deps.installationKey);
  const { ready: keysReady, keys, subjects } = createDataKeys({ ...deps, store: log });
  const readable = observeReads(opened(log, subjects.ring), metrics);
  const store = tracing ? tracedLog(readable, tracing) : readable;
  const appends = observeAppends(metrics);
  const engine = deps.engine
    ? deps.engine
    : createEngine({
        store: log,
        views: deps.views,
        projections,
        clock,
        logger,
        random: Math.random,
        open: createOpening(subjects.ring),
        forget: forgetIn(subjects.ring),
        onFold: tracing && createOnFold(clock, recordFolds(tracing)),
      });
  const { reader } = engine;
  const lists = createObservedLists({ reader, bounds: bounds?.lists, metrics, logger });
  const numberWatch = createNumberWatch({ reader, clock, logger, metrics });
  const { lookups, cache } = createLookups({ store, reader, lists });
  const plainWriter = createWriter({
    store,
    onEvent: [cache.note as (event: NewEvent) => void, appends.count],
    onAppended: appends.onTime,
    onAppendFailed: appends.onFailure,
    clock,
    ids,
    seal: secrets.sealOf,
    keys: subjects.ring,
    onFree: (accountId, { data }) => charging.freeWrites.count(accountId, bytesOf(data)),
    onSnapshotFailed: (stream, err) => logger.warn({ stream, err }, 'A snapshot was not kept'),
    onBadSnapshot: createBadSnapshots({ logger, metrics }),
  });
  const writer = tracing ? tracedWriter(plainWriter) : plainWriter;
  const charging = createCharging({ writer, store, lookups, clock, logger, metrics, bounds });
  const contacts = createContacts({ writer, subjects });
  return {
    contacts,
    /** The log as it is stored: personal data in it is sealed. */
    log,
    store,
    metrics,
    secrets,
    keys,
    keysReady,
    subjects,
    engine,
    reader,
    lists,
    numberWatch,
    lookups,
    cache,
    writer,
    ...charging,
  };
};
