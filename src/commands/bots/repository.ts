import { LRUCache } from 'lru-cache';
import type { BotDefinition, BotFact } from '../../events/bot.ts';
import type { EventReader, Recorded } from '../../events/store.ts';
import { compileGraph, type Graph, graphBytes } from './graph.ts';

/** Compiled graphs kept in memory, by their estimated size. */
const KEPT_BYTES_MAX = 64 * 1024 * 1024;
const OVERHEAD_BYTES = 2000;

type Changed = Recorded<BotFact>;

/** The current definition of a bot. */
interface CurrentBot {
  accountId: string;
  bot: BotDefinition;
  /** Revision of the bot's stream, for `graphAt`. */
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
    async current(botId: string): Promise<CurrentBot | undefined> {
      const [last] = await store.read(`bot-${botId}`, { direction: 'backwards', limit: 1 });
      if (!last) return undefined;
      const { data, revision } = last as Changed;
      const { accountId, bot } = data;
      return bot === null ? undefined : { accountId, bot, revision };
    },
    /** The graph of one revision, which never changes. */
    async graphAt(botId: string, revision: number): Promise<Graph> {
      const key = `${botId} ${revision}`;
      const known = compiled.get(key);
      if (known) return known.graph;
      const [event] = await store.read(`bot-${botId}`, { from: revision, limit: 1 });
      const bot = event?.revision === revision ? (event as Changed).data.bot : null;
      const stored = bot ?? { nodes: [], edges: [] };
      const graph = compileGraph(stored);
      compiled.set(key, { graph, bytes: OVERHEAD_BYTES + graphBytes(stored) });
      return graph;
    },
  };
};

export type BotRepository = ReturnType<typeof createBotRepository>;
