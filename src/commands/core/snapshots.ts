import { hash } from 'node:crypto';
import { chainAfter } from '../../events/index.ts';
import type { KeyRing } from '../../events/opened.ts';
import { open, type SealedUnder, seal } from '../../events/sealing.ts';
import type { EventStore, Recorded, Snapshot } from '../../events/store.ts';
import { canonicalJson } from '../account/chain.ts';
import type { Decider } from './decider.ts';

// A snapshot spares reading a long stream from its beginning, so it decides about money, and lies
// beside the log where nothing covers it. It says at which event it was taken, which is looked up
// when it is loaded, and carries a keyed hash of all of it. One that does not hold is not used.

/** The state of a stream up to a revision. */
export interface Folded<State = unknown> {
  state: State;
  revision: number;
  /** The hash of the newest link of the stream. */
  chain: string;
}

/** A state as it is stored. */
interface Sealed {
  state: unknown;
  /** Id of the event at the snapshot's revision. */
  event: string;
  /** Hash of the stream's newest link at that revision. */
  chain: string;
  /** The personal part of the state, encrypted, and its data key; absent without such a part. */
  hidden?: SealedUnder & { sealed: string };
  /** Keyed hash of the state, of its place and of the two above. */
  seal: string;
}

/** Why a snapshot was not used. */
export const snapshotFaults = [
  // It is no snapshot of ours: cut, changed, or written without a seal.
  'damaged',
  // The seal is not that of this installation's secret over the stored state.
  'forged',
  // It was taken of other events than the log holds now.
  'other-events',
] as const;

type SnapshotFault = (typeof snapshotFaults)[number];

export interface BadSnapshot {
  stream: string;
  revision: number;
  fault: SnapshotFault;
}

type Snapshotting = Pick<Decider<unknown, unknown>, 'snapshot'>;
type Snapshotted = NonNullable<Snapshotting['snapshot']>;

const isSealed = (value: unknown): value is Sealed => {
  if (typeof value !== 'object' || value === null) return false;
  const { event, chain, seal } = value as Partial<Sealed>;
  return 'state' in value && [event, chain, seal].every((one) => typeof one === 'string');
};

/** The result of a search for a snapshot. */
export type Found =
  | { kind: 'none' }
  /** Of another fold: of an older program or a newer one. */
  | { kind: 'other-version' }
  | { kind: 'bad'; fault: SnapshotFault; revision: number }
  | ({ kind: 'state'; isAt(event: Recorded | undefined): boolean } & Folded);

export interface Snapshots {
  find(decider: Snapshotting, stream: string): Promise<Found>;
  /** `last` is the event at the revision. `replace`: whatever is kept goes. */
  save(
    decider: Snapshotting,
    stream: string,
    taken: Folded & { last: { id: string } },
    options?: { replace?: boolean },
  ): Promise<void>;
}

const textOf = (stream: string, { revision, version }: Snapshot, sealed: Omit<Sealed, 'seal'>) =>
  canonicalJson({ stream, revision, version, ...sealed });

/** The stored state without a check of its seal, for a reader that folds the events anyway. */
export const contentOf = (snapshot: Snapshot): { state: unknown } | undefined =>
  isSealed(snapshot.state) ? { state: snapshot.state.state } : undefined;

/** Encrypts the personal parts of states, and opens them while their data keys live. */
const createHiding = (ring: Pick<KeyRing, 'load' | 'find'> | undefined) => {
  const typeOf = (stream: string) => `snapshot of ${stream}`;
  const keyOf = async ({ ref, month }: SealedUnder) => {
    await ring?.load([{ ref, month }]);
    return ring?.find(ref, month);
  };
  return {
    /** Undefined where the key was destroyed: then no snapshot is kept. */
    async hide(stream: string, state: unknown, { personal }: Snapshotted) {
      const parts = personal?.split(state);
      if (!parts) return { state };
      const { clear, hidden, under } = parts;
      const key = await keyOf(under);
      if (!key) return undefined;
      const sealed = seal(typeOf(stream), [{ ...under, key }], JSON.stringify(hidden));
      return { state: clear, hidden: { ...under, sealed } };
    },
    /** Undefined where the key was destroyed. */
    async show(stream: string, { state, hidden }: Sealed, { personal }: Snapshotted) {
      if (!hidden || !personal) return { state };
      const { ref, sealed } = hidden;
      const key = await keyOf(hidden);
      const text = key && open({ type: typeOf(stream), refs: [ref], sealed }, [key]);
      return text && { state: personal.join(state, JSON.parse(text)) };
    },
  };
};

/**
 * `sealOf` is a keyed hash of a text; without a key nothing but damage is found. `ring` has the data
 * keys of the personal parts of states.
 */
export const createSnapshots = (
  store: Pick<EventStore, 'loadSnapshot' | 'saveSnapshot'>,
  sealOf: (text: string) => string = (text) => hash('sha256', text, 'hex'),
  ring?: Pick<KeyRing, 'load' | 'find'>,
): Snapshots => {
  const { hide, show } = createHiding(ring);
  return {
    async find({ snapshot: wanted }, stream) {
      const snapshot = wanted && (await store.loadSnapshot(stream));
      if (!snapshot) return { kind: 'none' };
      const { revision, version, state: kept } = snapshot;
      const bad = (fault: SnapshotFault): Found => ({ kind: 'bad', fault, revision });
      if (!Number.isSafeInteger(revision) || revision < 0) return bad('damaged');
      if (version !== wanted.version) return { kind: 'other-version' };
      if (!isSealed(kept)) return bad('damaged');
      const { seal: written, event, chain } = kept;
      const { hidden } = kept;
      const content = { state: kept.state, event, chain, ...(hidden && { hidden }) };
      if (sealOf(textOf(stream, snapshot, content)) !== written) return bad('forged');
      const shown = await show(stream, kept, wanted);
      if (!shown) return { kind: 'none' };
      const { state } = shown;
      const isAt = (found: Recorded | undefined) =>
        found?.revision === revision && found.id === event && chainAfter(found, chain) === chain;
      return { kind: 'state', state, revision, chain, isAt };
    },
    async save({ snapshot }, stream, { state, revision, chain, last }, options) {
      if (!snapshot) return;
      const place = { revision, version: snapshot.version, state: null };
      const parts = await hide(stream, state, snapshot);
      if (!parts) return;
      const content = { ...parts, event: last.id, chain };
      const sealed: Sealed = { ...content, seal: sealOf(textOf(stream, place, content)) };
      await store.saveSnapshot(stream, { ...place, state: sealed }, options);
    },
  };
};
