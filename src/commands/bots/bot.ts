import { LRUCache } from 'lru-cache';
import {
  BotChanged,
  type BotDefinition,
  type BotDraft,
  BotDrafted,
  type BotDraftFact,
  type BotFact,
} from '../../events/bot.ts';
import { contactIdOf } from '../../events/contact.ts';
import {
  BotActionStarted,
  BotRunAnswered,
  BotRunEnded,
  type BotRunEndReason,
  type BotRunFact,
  BotRunStarted,
  BotRunWaiting,
  type BotStep,
  BotsSilenced,
  packSteps,
} from '../../events/conversation.ts';
import type { EventReader, Recorded } from '../../events/store.ts';
import { botDraftStream, botStream } from '../../events/streams.ts';
import { isoTime } from '../../shared/clock.ts';
import { AppError } from '../../shared/errors.ts';
import type { Decider } from '../core/decider.ts';
import { compileGraph, type Graph, graphBytes } from './graph.ts';
import type { Inbound } from './inbound.ts';
import type { Input } from './interpreter.ts';
import type { Next, Run, Turn } from './run.ts';

/** Compiled graphs kept in memory, by their estimated size. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;
const OVERHEAD_BYTES = 2000;

type Changed = Recorded<BotFact>;

/** The current definition of a bot. */
interface CurrentBot {
  bot: BotDefinition;
  /** Revision of the bot's stream, for `graphAt`. */
  revision: number;
}

/** A draft, when it was saved, and the revision of its own stream. */
export interface KeptDraft extends BotDraft {
  at: string;
  revision: number;
}

/** Reads bots from their own streams, so that it never misses a change. */
export const createBotRepository = ({ store }: { store: Pick<EventReader, 'read'> }) => {
  const compiled = new LRUCache<string, { graph: Graph; bytes: number }>({
    maxSize: KEPT_BYTES_MAX,
    sizeCalculation: ({ bytes }) => bytes,
  });

  return {
    /** Undefined for a deleted bot. */
    async current(accountId: string, botId: string): Promise<CurrentBot | undefined> {
      const stream = botStream(accountId, botId);
      const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
      if (!last) return undefined;
      const { data, revision } = last as Changed;
      return data.bot === null ? undefined : { bot: data.bot, revision };
    },
    /** What the bot was in a version; undefined for one that it never had. */
    async version(
      accountId: string,
      botId: string,
      version: number,
    ): Promise<BotDefinition | undefined> {
      const from = version - 1;
      const [event] = await store.read(botStream(accountId, botId), { from, limit: 1 });
      return event?.revision === from ? ((event as Changed).data.bot ?? undefined) : undefined;
    },
    /** The draft beside the live graph, if there is one. */
    async draft(accountId: string, botId: string): Promise<KeptDraft | undefined> {
      const stream = botDraftStream(accountId, botId);
      const [last] = await store.read(stream, { direction: 'backwards', limit: 1 });
      if (!last) return undefined;
      const { data, meta, revision } = last as Recorded<BotDraftFact>;
      return data.draft === null ? undefined : { ...data.draft, at: meta.at, revision };
    },
    /** The graph of one revision, which never changes. */
    async graphAt(accountId: string, botId: string, revision: number): Promise<Graph> {
      const stream = botStream(accountId, botId);
      const key = `${stream} ${revision}`;
      const known = compiled.get(key);
      if (known) return known.graph;
      const [event] = await store.read(stream, { from: revision, limit: 1 });
      const bot = event?.revision === revision ? (event as Changed).data.bot : null;
      const stored = bot ?? { nodes: [], edges: [] };
      const graph = compileGraph(stored);
      compiled.set(key, { graph, bytes: OVERHEAD_BYTES + graphBytes(stored) });
      return graph;
    },
  };
};

export type BotRepository = ReturnType<typeof createBotRepository>;

/**
 * The owner of a bot, null before its creation and after its deletion, and the revision of its last
 * change. The state leaves out the definition, which is large: the last change has it.
 */
interface BotState {
  accountId: string | null;
  revision: number;
}

type BotCommand = { botId: string; accountId: string } & (
  | { type: 'Create'; bot: BotDefinition }
  /** Does nothing if the bot has changed since the revision `basis`. */
  | { type: 'Replace'; basis: number; bot: BotDefinition }
  | { type: 'Delete' }
);

/** A bot. The bot of another account counts as unknown. */
export const botDecider: Decider<BotState, BotCommand, BotFact> = {
  category: 'bot',
  initial: { accountId: null, revision: -1 },
  evolve: ({ revision }, { data }) => ({
    accountId: data.bot && data.accountId,
    revision: revision + 1,
  }),
  decide(command, state) {
    const { botId, accountId } = command;
    if (command.type === 'Create') {
      if (state.accountId !== null) {
        throw new AppError('resource.conflict', 'The bot exists already');
      }
      return [BotChanged.of({ botId, accountId, change: 'created', bot: command.bot })];
    }
    if (state.accountId !== accountId) throw new AppError('bot.unknown', 'Bot not found');
    if (command.type === 'Delete') {
      return [BotChanged.of({ botId, accountId, change: 'deleted', bot: null })];
    }
    if (command.basis !== state.revision) return [];
    return [BotChanged.of({ botId, accountId, change: 'updated', bot: command.bot })];
  },
  // An event has up to 256 KB, the state a few bytes.
  snapshot: { version: 2, every: 10 },
};

type BotDraftCommand = { botId: string; accountId: string } & (
  | { type: 'Save'; draft: BotDraft }
  /** Does nothing if the draft was saved once more since the revision `basis`. */
  | { type: 'Drop'; basis: number }
);

/** The draft of a bot: the revision of its last change, and whether there is one. */
export const botDraftDecider: Decider<
  { exists: boolean; revision: number },
  BotDraftCommand,
  BotDraftFact
> = {
  category: 'botdraft',
  initial: { exists: false, revision: -1 },
  evolve: ({ revision }, { data }) => ({ exists: data.draft !== null, revision: revision + 1 }),
  decide(command, { exists, revision }) {
    const { botId, accountId } = command;
    if (command.type === 'Save') {
      return [BotDrafted.of({ botId, accountId, draft: command.draft })];
    }
    if (!exists || command.basis !== revision) return [];
    return [BotDrafted.of({ botId, accountId, draft: null })];
  },
  // An event has up to 256 KB, the state a few bytes.
  snapshot: { version: 1, every: 10 },
};

/** The owner of a run. */
export interface RunOwner {
  accountId: string;
  phoneNumberId: string;
  /** Revision of the bot's stream whose graph the run follows. */
  botRevision: number;
  /** The link of the number under which the run began; null in logs from before links had numbers. */
  link: number | null;
  /** The contact, as the start of the run names it. */
  contactRef: string;
}

const idsOf = ({ runId, botId }: Run) => ({ runId, botId });

/** The start of a run. The facts of its first turn follow in the same append. */
export const startFact = (run: Run, inbound: Inbound, owner: RunOwner, now: number): BotRunFact =>
  BotRunStarted.of({
    ...idsOf(run),
    ...owner,
    waId: contactIdOf(run.contact),
    userId: run.contact.userId,
    contactName: run.contact.name,
    messageId: inbound.messageId,
    messageRevision: inbound.revision,
    text: run.text,
    ...(run.flow && { flow: run.flow }),
    takenAt: isoTime(now),
  });

/** The end of a run for a reason outside of it, such as the deletion of its bot. */
export const endFact = (
  run: Run,
  reason: BotRunEndReason,
  { accountId, contactRef }: Pick<RunOwner, 'accountId' | 'contactRef'>,
): BotRunFact =>
  BotRunEnded.of({
    ...idsOf(run),
    accountId,
    contactRef,
    nodeId: run.nodeId,
    reason,
    detail: null,
    ...packSteps([]),
  });

/** A turn's place and time. */
interface At {
  accountId: string;
  phoneNumberId: string;
  contactRef: string;
  now: number;
}

const nextFacts = (
  run: Run,
  next: Next,
  stepsLeft: readonly BotStep[],
  { accountId, phoneNumberId, contactRef, now }: At,
): BotRunFact[] => {
  const ids = { ...idsOf(run), contactRef, ...packSteps(stepsLeft) };
  const { nodeId } = next;
  switch (next.kind) {
    case 'send':
    case 'request': {
      const attempts = next.kind === 'send' ? next.attempts : 0;
      const startedAt = isoTime(now);
      return [
        BotActionStarted.of({ ...ids, nodeId: next.nodeId, kind: next.kind, attempts, startedAt }),
      ];
    }
    case 'wait': {
      const { attempts, messageId } = next;
      const until = isoTime(next.until);
      const waiting = { ...ids, nodeId: next.nodeId, kind: next.for, until, attempts, messageId };
      return [BotRunWaiting.of(waiting)];
    }
    case 'end': {
      const { reason, detail, silentUntil } = next;
      const end = BotRunEnded.of({ ...ids, accountId, nodeId, reason, detail });
      if (silentUntil === null) return [end];
      const of = { accountId, phoneNumberId, contactRef, ...idsOf(run) };
      return [end, BotsSilenced.of({ ...of, until: isoTime(silentUntil) })];
    }
  }
};

/** The facts of a turn, in order. One append records them before the effect of `next`. */
export const turnFacts = (input: Input, { run, steps, next }: Turn, at: At): BotRunFact[] => {
  const answered =
    input.type === 'reply'
      ? [
          BotRunAnswered.of({
            ...idsOf(run),
            contactRef: at.contactRef,
            messageId: input.inbound.messageId,
            messageRevision: input.inbound.revision,
            text: input.inbound.text,
            ...(input.inbound.flow && { flow: input.inbound.flow }),
            takenAt: isoTime(at.now),
            waId: run.contact.waId,
            userId: run.contact.userId,
          }),
        ]
      : [];
  return [...answered, ...nextFacts(run, next, steps, at)];
};
