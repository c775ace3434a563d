import { accountDecider } from '../commands/account/account.ts';
import { canonicalJson } from '../commands/account/chain.ts';
import { botDecider } from '../commands/bots/bot.ts';
import type { Decider } from '../commands/core/decider.ts';
import { contentOf } from '../commands/core/snapshots.ts';
import { conversationDecider } from '../commands/inbound/conversation.ts';
import { phoneDecider } from '../commands/numbers/phone.ts';
import { streamPages } from '../events/paging.ts';
import { type EventReader, type Recorded, type Snapshot, UNREADABLE } from '../events/store.ts';
import type { Problems } from './problems.ts';

type Folding = Pick<Decider<unknown, unknown>, 'initial' | 'evolve' | 'snapshot'>;

/** Deciders with snapshots, by the category of their streams. */
export type Snapshotted = Readonly<Record<string, Folding>>;

const erased = (decider: unknown): Folding => decider as Folding;

export const snapshotted: Snapshotted = {
  account: erased(accountDecider('')),
  bot: erased(botDecider),
  conversation: erased(conversationDecider),
  phone: erased(phoneDecider),
};

/** The snapshots of a log. A log in a file can list all; a server loads them by stream. */
export interface SnapshotSource {
  loadSnapshot?: EventReader['loadSnapshot'];
  snapshots?(): Iterable<Snapshot & { stream: string }>;
}

const DIFFERENCES_MAX = 3;
const VALUE_LENGTH = 60;

const shown = (value: unknown): string =>
  (canonicalJson(value) ?? 'nothing').slice(0, VALUE_LENGTH);

/** Describes the first fields in which two states differ. */
const differences = (kept: unknown, made: unknown): string[] => {
  const [one, other] = [kept ?? {}, made ?? {}] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(other!), ...Object.keys(one!)])];
  return names
    .filter((name) => canonicalJson(one![name] ?? null) !== canonicalJson(other![name] ?? null))
    .slice(0, DIFFERENCES_MAX)
    .map((name) => `${name} ${shown(one![name])}, the events make ${shown(other![name])}`);
};

/** The state at a revision, and its event; undefined when the stream ends before it. */
const foldTo = async (
  log: Pick<EventReader, 'read'>,
  { initial, evolve }: Folding,
  { stream, revision, pageSize }: { stream: string; revision: number; pageSize: number },
): Promise<{ state: unknown; at: Recorded } | undefined> => {
  let state = initial;
  let at: Recorded | undefined;
  for await (const page of streamPages(log, stream, { eventsMax: revision + 1, pageSize })) {
    for (const event of page) {
      if (event.type === UNREADABLE) return undefined;
      state = evolve(state, event);
    }
    at = page.at(-1);
  }
  return at?.revision === revision ? { state, at } : undefined;
};

/** Compares snapshots with folds of the events. Skips snapshots of other versions. */
export const createSnapshotAudit = (deps: {
  log: SnapshotSource & Pick<EventReader, 'read'>;
  problems: Problems;
  deciders: Snapshotted;
  pageSize: number;
}) => {
  const { log, problems, deciders, pageSize } = deps;

  const check = async (stream: string, snapshot: Snapshot): Promise<void> => {
    const [category = '', ...id] = stream.split('-');
    const decider = deciders[category];
    const { revision, version } = snapshot;
    const accountId = category === 'account' ? id.join('-') : null;
    const say = (at: string, detail: string) => {
      const where = `the snapshot of ${stream} at revision ${revision}`;
      problems.add({ accountId, kind: 'snapshot', at, detail: `${where} ${detail}` });
    };
    const isOfLog = Number.isSafeInteger(revision) && revision >= 0;
    if (!decider?.snapshot || (isOfLog && version !== decider.snapshot.version)) return;
    const kept = contentOf(snapshot);
    if (!isOfLog || !kept) return say(stream, 'cannot be read');
    const made = await foldTo(log, decider, { stream, revision, pageSize });
    if (!made) return say(stream, 'is of events that the log does not hold');
    // An audit has no data keys.
    const { lasting = (state: unknown) => state } = decider.snapshot.personal ?? {};
    const [first, ...more] = differences(lasting(kept.state), lasting(made.state));
    if (first !== undefined) say(made.at.position, `says ${[first, ...more].join('; ')}`);
  };

  return {
    async accounts(accountIds: Iterable<string>, signal?: AbortSignal): Promise<void> {
      for (const accountId of accountIds) {
        signal?.throwIfAborted();
        const stream = `account-${accountId}`;
        const snapshot = await log.loadSnapshot?.(stream);
        if (snapshot) await check(stream, snapshot);
      }
    },
    /** All that the log lists. */
    async all(signal?: AbortSignal): Promise<void> {
      for (const { stream, ...snapshot } of log.snapshots?.() ?? []) {
        signal?.throwIfAborted();
        await check(stream, snapshot);
      }
    },
  };
};
