import { createProver, type Prover } from '../../audit/seals/prover.ts';
import {
  isCheckpoint,
  lastSeal,
  readSeal,
  readSeals,
  type StoredSeal,
} from '../../audit/seals/read-seals.ts';
import {
  createSealer,
  type MadeSeal,
  type Sealer,
  type SealerDeps,
} from '../../audit/seals/sealer.ts';
import { appendSeals } from '../../audit/seals/seals-file.ts';
import { createTransparency, type Transparency } from '../../audit/seals/tiles.ts';
import { createCosigning } from '../../audit/witness/cosigning.ts';
import { dayOf } from '../../commands/account/evolve.ts';
import type { Outbound } from '../../commands/core/outbound.ts';
import { SealContradicted, type SealPlace, sealPlaceDecider } from '../../commands/seals/seals.ts';
import { isoTime } from '../../shared/clock.ts';
import { createMutex } from '../../shared/concurrency.ts';
import { isRefusal } from '../../shared/errors.ts';
import { retry } from '../../shared/retry.ts';
import { deriveKey } from '../../shared/secrets.ts';
import type { ServiceDeps } from '../deps.ts';
import type { Stores } from '../stores.ts';
import { type Background, every } from '../workers/background.ts';
import { observeSeals, type SealingStatus, type Step, sealingPauses } from './seal-status.ts';

const POST_TIMEOUT_MS = 10_000;

/** Takes seals to where the operator wants them. Each returns the number of the last seal there. */
export const createPlaces = (
  { settings: { seals } }: Pick<ServiceDeps, 'settings'>,
  { log, writer }: Pick<Stores, 'log' | 'writer'>,
  outbound: Outbound,
) => {
  const logOf = (count: number) => ({
    count,
    noteOf: async (number: number) => (await readSeal(log, number))?.seal.note,
    async *notesAfter(number: number) {
      for await (const { seal } of readSeals(log, number)) yield seal.note;
    },
  });
  const note = async (place: SealPlace, number: number): Promise<number> => {
    if (number === 0) return number;
    const context = { requestId: `seal-${number}`, cause: 'sealing' };
    const command = { type: 'Deliver' as const, place, number };
    await writer.execute(sealPlaceDecider, place, command, context);
    return number;
  };
  const post = async (url: string, { number, seal }: StoredSeal): Promise<void> => {
    const headers = {
      'content-type': 'text/plain; charset=utf-8',
      'idempotency-key': `${seal.origin}/seal/${number}`,
    };
    const body = seal.note;
    const call = { url, method: 'POST', headers, body, timeoutMs: POST_TIMEOUT_MS, bytesMax: 0 };
    const answer = await outbound.request(call);
    if (answer.kind === 'failed') throw new Error(answer.reason);
    if (answer.status > 299) throw new Error(`the answer was ${answer.status}`);
  };
  return {
    file: seals.file
      ? async (count: number) => note('file', await appendSeals(seals.file!, logOf(count)))
      : undefined,
    url: seals.url
      ? async (_: number, signal: AbortSignal) => {
          let { state: number } = await writer.load(sealPlaceDecider, 'url');
          for await (const stored of readSeals(log, number)) {
            signal.throwIfAborted();
            await post(seals.url!, stored);
            number = await note('url', stored.number);
          }
          return number;
        }
      : undefined,
  };
};

interface Sealing extends Pick<Sealer, 'signer'> {
  /** Seals now. */
  seal(): Promise<MadeSeal | null>;
  prover: Prover;
  transparency: Transparency;
  /** The last seal that is known to be at each place, by any process. */
  delivered(): Promise<Record<SealPlace, number>>;
  status(): SealingStatus;
  /** Seals once a UTC day, and delivers seals, until it is stopped. */
  start(): Background;
}

type SealNow = Pick<Sealer, 'grow' | 'seal' | 'cosignLast'>;

/** Seals when it is due, and delivers what is not delivered. Throws when a step has failed. */
const createRound = ({
  sealer,
  log,
  clock,
  places,
  now,
  onFailure,
}: Pick<ServiceDeps, 'clock'> &
  Pick<Stores, 'log'> &
  Pick<ReturnType<typeof observeSeals>, 'onFailure'> & {
    sealer: SealNow;
    places: ReturnType<typeof createPlaces>;
    now: SealingStatus;
  }) => {
  const sealIfDue = async (signal: AbortSignal): Promise<void> => {
    const { last } = await lastSeal(log);
    // One of the old form has no entries, so that no proof could be made of it.
    const isDue = !isCheckpoint(last) || dayOf(last.at) !== dayOf(isoTime(clock.now()));
    const seal = isDue ? await sealer.seal('daily', signal) : last;
    if (seal) now.last = { number: seal.number, at: seal.at };
    if (!isDue) await sealer.grow(signal);
  };

  return async (signal: AbortSignal): Promise<void> => {
    let failure: unknown;
    const attempt = async (step: Step, work: () => Promise<void>) => {
      try {
        await work();
        delete now.failing[step];
      } catch (error) {
        // Another process has sealed: the next round delivers it.
        const isSealed =
          isRefusal(error, 'resource.conflict') && !(error instanceof SealContradicted);
        if (signal.aborted || isSealed) return;
        onFailure(step, (error as Error).message);
        failure = error;
      }
    };
    await attempt('seal', () => sealIfDue(signal));
    await attempt('witness', () => sealer.cosignLast());
    for (const place of ['file', 'url'] as const) {
      const deliver = places[place];
      if (!deliver) continue;
      now.delivered[place] ??= 0;
      if (now.last && now.delivered[place] === now.last.number) continue;
      await attempt(place, async () => {
        now.delivered[place] = await deliver((await lastSeal(log)).count, signal);
      });
    }
    if (failure !== undefined) throw failure;
  };
};

/** Wires seals: the duty, the command and the proofs. */
export const createSealing = (deps: ServiceDeps, stores: Stores, outbound: Outbound): Sealing => {
  const { clock, ids, settings, logger } = deps;
  const { log, writer, metrics } = stores;
  const { firstMs, everyMs, retry: delays } = { ...sealingPauses, ...deps.bounds?.sealing };
  const now: SealingStatus = { last: null, failing: {}, delivered: {} };
  const { onBroken, onFailure } = observeSeals({ logger, metrics }, now);
  const seed = () =>
    settings.seals.key ?? deriveKey(deps.installationKey.first(), 'ledger-seal/v1');
  const cosigning = createCosigning(settings.witnesses?.witnesses ?? [], outbound);
  let refusals: readonly string[] = [];
  const cosign: SealerDeps['cosign'] = async (offered) => {
    const { lines, failures } = await cosigning.cosign(offered);
    refusals = failures;
    return lines;
  };
  const { signer, seal, grow, cosignLast } = createSealer({
    log,
    writer,
    seed,
    clock,
    ids,
    onBroken,
    cosign,
  });
  const oneAtATime = createMutex();
  const sealer: SealNow = {
    seal: (...how) => oneAtATime(() => seal(...how)),
    grow: (...how) => oneAtATime(() => grow(...how)),
    async cosignLast() {
      await oneAtATime(cosignLast);
      if (refusals.length > 0) throw new Error(refusals.join('; '));
    },
  };
  const places = createPlaces(deps, stores, outbound);

  const round = createRound({ sealer, log, clock, places, now, onFailure });

  return {
    signer,
    seal: () => sealer.seal('request'),
    prover: createProver(log),
    transparency: createTransparency(log),
    async delivered() {
      const numberOf = async (place: SealPlace) =>
        (await writer.load(sealPlaceDecider, place)).state;
      return { file: await numberOf('file'), url: await numberOf('url') };
    },
    status: () => now,
    start() {
      if (settings.seals.key === null) {
        const text = 'WAYBILL_SEAL_KEY is not set: seals are signed by the key of the installation';
        logger.warn(text);
      }
      const work = (signal: AbortSignal) => retry(() => round(signal), { delays, signal });
      return every(everyMs, work, undefined, firstMs);
    },
  };
};
