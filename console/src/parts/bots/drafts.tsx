import { useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import { Ask } from '../../ui/ask.tsx';
import { toast } from '../../ui/toast.tsx';
import { DifferenceList } from './difference-list.tsx';
import { differencesOf } from './differences.ts';
import { type Bot, type Graph, graphOf, storedOf } from './graph.ts';
import { LIST_KEY } from './read.ts';

export type BotDraft = components['schemas']['BotDraft'];

export const draftKey = (botId: string) => [...LIST_KEY, botId, 'draft'];

export const readDraft = async (botId: string, signal: AbortSignal) => {
  const params = { path: { botId } };
  return (await bodyOf(api.GET('/v1/bots/{botId}/draft', { params, signal }))).draft;
};

/** Keeps the graph on the canvas beside the live one, and makes it live. */
export const useDraft = (botId: string) => {
  const cache = useQueryClient();
  const params = { path: { botId } };
  const again = async () => {
    await cache.invalidateQueries({ queryKey: LIST_KEY });
    await cache.invalidateQueries({ queryKey: ['versions', botId] });
  };
  const keep = (graph: Graph) =>
    api.PUT('/v1/bots/{botId}/draft', { params, body: storedOf(graph) as never });
  return {
    async save(graph: Graph) {
      await keep(graph);
      await again();
      toast('The draft is saved');
    },
    async drop() {
      await api.DELETE('/v1/bots/{botId}/draft', { params });
      await again();
      toast('The draft is thrown away');
    },
    /** The graph on the canvas, saved or not. */
    async publish(graph: Graph) {
      await keep(graph);
      await api.POST('/v1/bots/{botId}/publish', { params, body: {} });
      await again();
      toast('It is live');
    },
    async publishVersion(version: number) {
      await api.POST('/v1/bots/{botId}/publish', { params, body: { version } });
      await again();
      toast(`Version ${version} is live again`);
    },
  };
};

/** Shows what changes for customers, and makes it live. */
export const Publish = ({
  bot,
  graph,
  problems,
  publish,
}: {
  bot: Bot;
  graph: Graph;
  problems: number;
  publish: (graph: Graph) => Promise<void>;
}) => (
  <Ask label="Publish" title={`Publish ${bot.name}`} button="primary" submit={() => publish(graph)}>
    {problems > 0 && (
      <div className="note note-bad">
        {problems === 1 ? 'One problem stops' : `${problems} problems stop`} the bot where they are.
      </div>
    )}
    <p>
      {bot.isActive
        ? 'Customers who write from now on get it. Talks under way end as they began.'
        : 'The bot is inactive: nobody gets it before you activate it.'}
    </p>
    <DifferenceList differences={differencesOf(graphOf(bot), graph)} />
  </Ask>
);
