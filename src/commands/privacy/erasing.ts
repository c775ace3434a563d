import { DESTROYED_KEYS_STREAM, type Destroyed } from '../../events/erasure.ts';
import type { KnownEvent } from '../../events/index.ts';
import { createCoalesced, createMutex } from '../../shared/concurrency.ts';
import { type GrowingDelays, Interrupted, orStop, retry } from '../../shared/retry.ts';
import type { CommandContext, Outcome } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import { type Reactor, toEach } from '../core/reactor.ts';
import type { Unsettled } from '../core/reactor-checkpoints.ts';
import { DESTRUCTIONS_ID, destructionsDecider } from './destructions.ts';
import { type ErasureState, erasureDecider } from './erasure.ts';
import type { CountHeld, DestroyedKeys, FindJoined, KeyMemory, Sweeper } from './keys.ts';

type Destruction = Extract<KnownEvent, { type: 'ContactErased' | 'MonthsExpired' }>;

export interface DestroyerDeps {
  writer: Writer;
  keys: Pick<DestroyedKeys, 'destroySubjects'>;
  memory: Pick<KeyMemory, 'forget'>;
  findJoined: FindJoined;
}

export interface EmptyingDeps {
  writer: Writer;
  keys: Pick<DestroyedKeys, 'setApplied' | 'clean'>;
  sweeper: Sweeper;
  count: CountHeld;
  /** Called for each attempt to empty documents or to clean files that failed. */
  onUnclean: (error: unknown) => void;
}

const SWEEP_DELAYS: GrowingDelays = { minMs: 250, maxMs: 10_000 };
const CLEAN_DELAYS: GrowingDelays = { minMs: 500, maxMs: 60_000 };

const contextOf = ({ id, meta }: KnownEvent): CommandContext => ({
  requestId: meta.requestId,
  cause: id,
});

/**
 * First half of an erasure: destroys the keys, then records it in the log. In this order,
 * because a reader that goes on from that event must not find a key.
 */
export const createKeyDestroyer = ({
  writer,
  keys,
  memory,
  findJoined,
}: DestroyerDeps): Reactor => ({
  name: 'erasures',
  on: {
    async ErasureRequested(event, { signal }) {
      const { erasureId, subjects } = event.data;
      if ((await writer.load(erasureDecider, erasureId)).state.isDone) return undefined;
      // Recorded already: an id that was joined after that is another contact, whose keys stay.
      const { state } = await writer.load(destructionsDecider, DESTRUCTIONS_ID);
      if (state.recent.includes(erasureId)) return undefined;
      // An id may have been joined since the request: its conversations have become one.
      const refs = await findJoined(subjects, signal);
      await keys.destroySubjects(refs);
      memory.forget(refs);
      const command = { type: 'Erase' as const, erasureId, refs };
      await writer.execute(destructionsDecider, DESTRUCTIONS_ID, command, contextOf(event));
      return undefined;
    },
  },
});

const destroyedBy = ({ type, data }: Destruction): Destroyed =>
  type === 'ContactErased' ? { refs: data.refs } : data;

/** Cleans all files until that succeeds. Calls that come together share the work. */
const createCleaning = ({ keys, sweeper, onUnclean }: EmptyingDeps) => {
  let failing: string | null = null;
  const clean = createCoalesced(async () => {
    await keys.clean();
    await sweeper.clean();
  });
  return {
    failing: () => failing,
    async run(signal: AbortSignal): Promise<void> {
      const onFailure = (error: unknown) => {
        failing = (error as Error).message;
        onUnclean(error);
      };
      await retry(clean, { delays: CLEAN_DELAYS, signal, onFailure });
      failing = null;
    },
  };
};

export interface Emptying extends Reactor {
  /** Why files cannot be cleaned at present; null when they can. */
  unclean(): string | null;
  /** Erasures and expired months whose files are not clean yet. */
  open(): number;
}

/** One attempt at a time, in the order of the calls. Those that wait at a stop do not begin. */
const createAttempts = () => {
  const oneByOne = createMutex();
  return (attempt: () => Promise<void>, signal: AbortSignal): Promise<void> =>
    oneByOne(async () => {
      if (signal?.aborted) throw new Interrupted();
      await attempt();
    });
};

/**
 * Counts what is held, once: what is emptied cannot be counted any more. Resolves to the erasure as it is
 * then; undefined for one of no request.
 */
const createBegin =
  ({ writer, count }: Pick<EmptyingDeps, 'writer' | 'count'>) =>
  async (event: Extract<Destruction, { type: 'ContactErased' }>, signal: AbortSignal) => {
    const { erasureId } = event.data;
    const known = await writer.load(erasureDecider, erasureId);
    if (!known.state.request) return undefined;
    if (known.state.found) return known;
    const found = await orStop(count(known.state.request.subjects, event.position), signal);
    const command = { type: 'Start' as const, found };
    const after = { after: known };
    return writer.execute(erasureDecider, erasureId, command, contextOf(event), after);
  };

/** An erasure that has begun. */
type Begun = Pick<Outcome<ErasureState>, 'state' | 'revision'>;

/**
 * Second half: empties the documents and cleans the files of what the keys had sealed. An erasure is
 * done once both are. The sweeps begin in the order of the log; the cleaning of several goes together.
 * Both go on after `handle`, because they may have to wait: for the end of a rebuild, for a reader.
 */
export const createEmptying = (deps: EmptyingDeps): Emptying => {
  const { writer, keys, sweeper } = deps;
  const cleaning = createCleaning(deps);
  const open = new Set<Promise<void>>();
  const begin = createBegin(deps);
  const inTurn = createAttempts();

  /** Empties the documents. `begun` is absent of expired months. */
  const createSweep = (event: Destruction, begun: Begun | undefined) => {
    let known = begun;
    return async () => {
      // By a later attempt another process may have found that all is emptied.
      known ??= begun && (await writer.load(erasureDecider, begun.state.request!.erasureId));
      const isDone = known?.state.isDone ?? false;
      known = undefined;
      // This one may hold documents that the other does not know, as of a newer program.
      await sweeper.erase(destroyedBy(event), event.position, isDone);
      await keys.setApplied(event.revision);
    };
  };

  const finish = async (event: Destruction, begun: Begun | undefined, signal: AbortSignal) => {
    const sweep = createSweep(event, begun);
    // Between two attempts the others take theirs: one may have to wait long for another process.
    const attempt = () => inTurn(sweep, signal);
    await retry(attempt, { delays: SWEEP_DELAYS, signal, onFailure: deps.onUnclean });
    await cleaning.run(signal);
    if (!begun) return;
    const { erasureId } = begun.state.request!;
    const command = { type: 'Finish' as const };
    const after = { after: begun };
    const execute = () =>
      writer.execute(erasureDecider, erasureId, command, contextOf(event), after);
    await retry(execute, { delays: CLEAN_DELAYS, signal, onFailure: deps.onUnclean });
  };

  /** The work that is left once the documents are counted. It stays open when a stop interrupts it. */
  const settling = (
    event: Destruction,
    begun: Begun | undefined,
    signal: AbortSignal,
  ): Unsettled => {
    const never = new Promise<never>(() => undefined);
    const finished = finish(event, begun, signal);
    const ended = finished.catch((error) => {
      if (!(error instanceof Interrupted)) deps.onUnclean(error);
    });
    open.add(ended);
    ended.then(() => open.delete(ended));
    return { settled: finished.catch(() => never) };
  };

  return {
    name: 'emptying',
    unclean: cleaning.failing,
    open: () => open.size,
    on: toEach(['ContactErased', 'MonthsExpired'], async (event, { signal }) => {
      if (event.stream !== DESTROYED_KEYS_STREAM) return undefined;
      if (event.type !== 'ContactErased') return settling(event, undefined, signal);
      const begun = await begin(event, signal);
      return begun && settling(event, begun, signal);
    }),
    async drain() {
      await Promise.allSettled(open);
    },
  };
};
