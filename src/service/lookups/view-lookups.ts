import type { Candidate } from '../../commands/bots/matching.ts';
import type { DueRun, Lookups } from '../../commands/core/lookups.ts';
import { conversationIdOf } from '../../events/conversation.ts';
import type { EventReader } from '../../events/store.ts';
import { botRuns } from '../../projections/bot-runs.ts';
import { type BotDocument, bots } from '../../projections/bots.ts';
import { conversations } from '../../projections/conversations.ts';
import { deadletters } from '../../projections/dead-letters.ts';
import type { Projection } from '../../projections/define.ts';
import type { Lists } from '../../projections/engine/lists.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import { numbers } from '../../projections/numbers.ts';
import { readThread } from '../../projections/read-threads.ts';
import { templates } from '../../projections/templates.ts';
import { WINDOW_MS } from '../../projections/thread.ts';
import { ROWS_MAX } from './cached-lookups.ts';
import { haveSeenLog } from './lookup-cache.ts';

const TEMPLATES_MAX = 6000;
/** Without the graphs, which may be large. */
const CANDIDATE_FIELDS = [
  ...['id', 'createdAt', 'phoneNumberId', 'trigger', 'triggerKeywords', 'triggerMatchType'],
  'isActive',
];

interface Deps {
  store: EventReader;
  reader: Reader;
  lists: Lists;
}

const candidateOf = ({ id: botId, ...bot }: BotDocument): Candidate => ({
  botId,
  createdAt: bot.createdAt,
  phoneNumberId: bot.phoneNumberId,
  trigger: bot.trigger,
  triggerKeywords: bot.triggerKeywords,
  triggerMatchType: bot.triggerMatchType,
  isActive: bot.isActive,
});

const createRunLookups = (
  reader: Reader,
  reachHead: (projection: Projection) => Promise<void>,
): Pick<Lookups, 'dueRuns' | 'openRuns'> => ({
  async dueRuns({ waitingUntil, actingSince, limit }, { fresh }) {
    if (fresh) await reachHead(botRuns);
    const find = async (phase: DueRun['phase'], phaseAt: string): Promise<DueRun[]> => {
      const found = await reader.find(botRuns, {
        where: { phase, phaseAt: { lte: phaseAt } },
        order: { field: 'phaseAt', direction: 'ascending' },
        limit,
      });
      return found.map(({ id: runId, conversationId, accountId, phoneNumberId, contactRef }) => ({
        runId,
        conversationId,
        accountId,
        phoneNumberId,
        contactRef,
        phase,
      }));
    };
    const waiting = await find('waiting', waitingUntil);
    return [...waiting, ...(await find('acting', actingSince))];
  },
  async openRuns({ accountId, phoneNumberId, after, upTo, limit }) {
    await reader.reached([botRuns], upTo);
    const found = await reader.find(botRuns, {
      where: { accountId, phoneNumberId, open: true, order: { gt: after, lte: upTo } },
      order: { field: 'order', direction: 'ascending' },
      limit,
    });
    return found.map(({ id: runId, conversationId, order }) => ({
      runId,
      conversationId,
      order,
    }));
  },
});

type ViewLookups = Pick<
  Lookups,
  | 'numbersOfWaba'
  | 'allTemplates'
  | 'windowExpiresAt'
  | 'bots'
  | 'dueRuns'
  | 'openRuns'
  | 'openDeadLetters'
>;

/** Look-ups whose answers are not kept: sends do not need them, or messages change them. */
export const createViewLookups = (deps: Deps): ViewLookups => {
  const { store, reader, lists } = deps;
  const reachHead = async (projection: Projection) =>
    reader.reached([projection], await store.head());
  return {
    async numbersOfWaba(wabaId) {
      await reachHead(numbers);
      return reader.find(numbers, {
        where: { wabaId, linked: true },
        order: { field: 'order', direction: 'ascending' },
        limit: ROWS_MAX,
      });
    },
    async allTemplates(wabaId) {
      await haveSeenLog(deps, templates);
      const found = await lists.all(`business account ${wabaId}`, templates, {
        where: { wabaId },
        order: { field: 'order', direction: 'ascending' },
        limit: TEMPLATES_MAX,
      });
      return found.sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    async windowExpiresAt(conversation) {
      await reachHead(conversations);
      const thread = await readThread(reader, conversationIdOf(conversation));
      return thread?.lastInboundAt == null ? null : Date.parse(thread.lastInboundAt) + WINDOW_MS;
    },
    /** The bots' reactor keeps the answer itself, in step with the messages that it reads. */
    async bots(accountId) {
      await reachHead(bots);
      const found = await lists.all(accountId, bots, {
        where: { accountId },
        order: { field: 'order', direction: 'descending' },
        limit: ROWS_MAX,
        fields: CANDIDATE_FIELDS,
      });
      return found.map(candidateOf);
    },
    ...createRunLookups(reader, reachHead),
    async openDeadLetters({ reason, after, limit }) {
      await reachHead(deadletters);
      return reader.find(deadletters, {
        where: { state: 'open', reason, order: { gt: after } },
        order: { field: 'order', direction: 'ascending' },
        limit,
      });
    },
  };
};
