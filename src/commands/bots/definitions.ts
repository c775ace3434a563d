import type { BotDefinition } from '../../events/bot.ts';
import { StoreUnavailable } from '../../events/store.ts';
import { inAccount } from '../../events/streams.ts';
import type { Ids } from '../../shared/clock.ts';
import { AppError, invalidFields } from '../../shared/errors.ts';
import type { CommandContext } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import { type BotRepository, botDecider, botDraftDecider, type KeptDraft } from './bot.ts';
import { GRAPH_BYTES_MAX, graphBytes } from './graph.ts';

type OfAccount = CommandContext & { accountId: string };

/** Bots of one account. Each message of a customer is matched against all of them. */
const BOTS_MAX = 200;
/** Rounds of read and replace before a bot counts as contended. */
const ATTEMPTS_MAX = 8;

const mustFit = (bot: Pick<BotDefinition, 'nodes' | 'edges'>): void => {
  if (graphBytes(bot) <= GRAPH_BYTES_MAX) return;
  const problem = `nodes and edges together are larger than ${GRAPH_BYTES_MAX} bytes`;
  throw invalidFields({ nodes: [problem] });
};

/** Creates, changes and deletes bots (contract 4.20 to 4.22). */
export const createBots = (deps: {
  writer: Writer;
  lookups: Pick<Lookups, 'numbers' | 'bots'>;
  repository: Pick<BotRepository, 'current' | 'version' | 'draft'>;
  ids: Ids;
}) => {
  const { writer, lookups, repository, ids } = deps;

  const mustOwn = async (phoneNumberId: string | null | undefined, accountId: string) => {
    if (phoneNumberId == null) return;
    const numbers = await lookups.numbers(accountId);
    if (numbers.some((number) => number.phoneNumberId === phoneNumberId)) return;
    throw new AppError('number.unknown', 'Phone number not found');
  };

  const mustBe = async (accountId: string, botId: string) => {
    const current = await repository.current(accountId, botId);
    if (current) return current;
    throw new AppError('bot.unknown', 'Bot not found');
  };

  /** Changes the given fields only. */
  const update = async (botId: string, change: Partial<BotDefinition>, context: OfAccount) => {
    const { accountId } = context;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const current = await mustBe(accountId, botId);
      const bot = { ...current.bot, ...change };
      mustFit(bot);
      await mustOwn(change.phoneNumberId, accountId);
      if (JSON.stringify(bot) === JSON.stringify(current.bot)) return;
      const basis = current.revision;
      const command = { type: 'Replace' as const, botId, accountId, basis, bot };
      const id = inAccount(accountId, botId);
      const { facts } = await writer.execute(botDecider, id, command, context);
      if (facts.length > 0) return;
    }
    throw new StoreUnavailable(`bot ${botId} is contended`);
  };

  const dropDraft = (botId: string, { revision: basis }: KeptDraft, context: OfAccount) => {
    const { accountId } = context;
    const command = { type: 'Drop' as const, botId, accountId, basis };
    return writer.execute(botDraftDecider, inAccount(accountId, botId), command, context);
  };

  return {
    update,
    /** Keeps a graph beside the live one. */
    async saveDraft(
      botId: string,
      graph: Pick<BotDefinition, 'nodes' | 'edges'>,
      context: OfAccount,
    ): Promise<void> {
      const { accountId } = context;
      const { revision } = await mustBe(accountId, botId);
      const { nodes, edges } = graph;
      mustFit({ nodes, edges });
      const before = await repository.draft(accountId, botId);
      const draft = { basis: before?.basis ?? revision + 1, nodes, edges };
      const command = { type: 'Save' as const, botId, accountId, draft };
      await writer.execute(botDraftDecider, inAccount(accountId, botId), command, context);
    },
    /** Throws the draft away, if there is one. */
    async dropDraft(botId: string, context: OfAccount): Promise<void> {
      await mustBe(context.accountId, botId);
      const draft = await repository.draft(context.accountId, botId);
      if (draft) await dropDraft(botId, draft, context);
    },
    /**
     * Makes the draft live, or an earlier version once more: its graph and what starts it. Name, number and
     * whether the bot is active stay.
     */
    async publish(botId: string, version: number | undefined, context: OfAccount): Promise<void> {
      const { accountId } = context;
      await mustBe(accountId, botId);
      if (version !== undefined) {
        const earlier = await repository.version(accountId, botId, version);
        if (!earlier) throw new AppError('resource.unknown', `The bot has no version ${version}`);
        const { nodes, edges, trigger, triggerKeywords, triggerMatchType } = earlier;
        const change = { nodes, edges, trigger, triggerKeywords, triggerMatchType };
        return update(botId, change, context);
      }
      const draft = await repository.draft(accountId, botId);
      if (!draft) throw new AppError('resource.unknown', 'The bot has no draft');
      await update(botId, { nodes: draft.nodes, edges: draft.edges }, context);
      await dropDraft(botId, draft, context);
    },
    /** Resolves to the new bot's id. */
    async create(bot: BotDefinition, context: OfAccount): Promise<string> {
      const { accountId } = context;
      mustFit(bot);
      await mustOwn(bot.phoneNumberId, accountId);
      if ((await lookups.bots(accountId)).length >= BOTS_MAX) {
        throw new AppError('resource.conflict', `An account has ${BOTS_MAX} bots at most`);
      }
      const botId = `bot_${ids.uuid()}`;
      const command = { type: 'Create' as const, botId, accountId, bot };
      await writer.execute(botDecider, inAccount(accountId, botId), command, context, {
        assumeNew: true,
      });
      return botId;
    },
    async remove(botId: string, context: OfAccount): Promise<void> {
      const { accountId } = context;
      const command = { type: 'Delete' as const, botId, accountId };
      await writer.execute(botDecider, inAccount(accountId, botId), command, context);
    },
  };
};

export type Bots = ReturnType<typeof createBots>;
