import { route } from '../api/api.ts';
import { rowOf } from '../output/format.ts';
import type { Noun } from '../program/noun.ts';
import { listVerb, showVerb } from './verbs.ts';

export const bot: Noun = {
  name: 'bot',
  group: 'Messages',
  access: 'key',
  summary: 'Bots of an account and what they did: list, show, runs',
  verbs: [
    listVerb({
      description: 'List the bots, newest first',
      from: '/bots',
      pages: false,
      columns: [
        { header: 'ID', of: 'id' },
        { header: 'NAME', of: 'name', narrow: 'cut' },
        { header: 'ACTIVE', of: 'isActive' },
        { header: 'TRIGGER', of: 'trigger', narrow: 'drop' },
        { header: 'KEYWORDS', of: 'triggerKeywords', narrow: 'drop' },
        { header: 'RUNS', of: 'totalExecutions', align: 'right', narrow: 'drop' },
        { header: 'LAST RUN (UTC)', of: 'lastExecutedAt', narrow: 'drop' },
      ],
    }),
    showVerb('/bots', 'Show one bot with its graph'),
    listVerb({
      name: 'runs',
      description: 'List the runs of a bot, newest first',
      from: (_, bot) => route`/bots/${bot}/runs`,
      field: 'runs',
      selection: (list) => list.argument('<id>'),
      columns: [
        { header: 'ID', of: 'id' },
        { header: 'STATE', of: 'state' },
        { header: 'CONTACT', of: ({ contact }) => rowOf(contact).waId ?? rowOf(contact).userId },
        { header: 'STEPS', of: 'stepCount', align: 'right', narrow: 'drop' },
        { header: 'REASON', of: 'reason', narrow: 'drop' },
        { header: 'DETAIL', of: 'detail', narrow: 'cut' },
        { header: 'STARTED (UTC)', of: 'startedAt', narrow: 'drop' },
        { header: 'ENDED (UTC)', of: 'endedAt', narrow: 'drop' },
      ],
    }),
  ],
  examples: ['bot list', 'bot show <id>', 'bot runs <id> --limit 10', 'bot runs <id> --json'],
};
