import { Option } from 'commander';
import type { Noun } from '../program/noun.ts';
import { listVerb, postVerb, showVerb } from './verbs.ts';

const STATES = ['open', 'resolved', 'dismissed'];

export const deadletter: Noun = {
  name: 'dead-letter',
  alias: 'deadletter',
  group: 'Operation',
  summary: 'Webhook items that the service could not process',
  verbs: [
    listVerb<{ state?: string }>({
      description: 'List items that could not be processed',
      from: '/dead-letters',
      field: 'deadLetters',
      selection: (list) =>
        list.addOption(new Option('--state <state>', 'Only those in this state').choices(STATES)),
      query: ({ state }) => ({ state }),
      columns: [
        { header: 'ID', of: 'id' },
        { header: 'FIELD', of: 'field', narrow: 'drop' },
        { header: 'REASON', of: 'reason', narrow: 'cut' },
        { header: 'STATE', of: 'state' },
        { header: 'KEPT (UTC)', of: 'createdAt', narrow: 'drop' },
        { header: 'NUMBER', of: 'phoneNumberId', narrow: 'drop' },
      ],
    }),
    showVerb('/dead-letters', 'Show one, with the item as the provider sent it'),
    postVerb('/dead-letters', 'retry', 'Process one again, and show the result'),
    postVerb('/dead-letters', 'dismiss', 'Close one without processing it'),
  ],
  examples: [
    'dead-letter list --state open',
    'dead-letter show <id>',
    'dead-letter retry <id>',
    'dead-letter dismiss <id>',
  ],
};
