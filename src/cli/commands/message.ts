import type { Noun } from '../program/noun.ts';
import { listVerb, showVerb } from './verbs.ts';

interface Filters {
  account?: string;
  contact?: string;
  message?: string;
  charge?: string;
  reference?: string;
}

export const message: Noun = {
  name: 'message',
  group: 'Operation',
  summary: 'Messages of any account, with status and events',
  verbs: [
    listVerb<Filters>({
      description: 'Find messages of any account, newest first',
      from: '/messages',
      field: 'messages',
      selection: (list) =>
        list
          .option('--account <id>', 'Account; required without --message or --charge')
          .option('--contact <number>', 'To or from this telephone number')
          .option('--message <id>', 'Id that the provider gave the message')
          .option('--charge <id>', 'Charge that paid for the message')
          .option('--reference <text>', 'The clientReference of the send'),
      query: ({ account, contact, message, charge, reference }) => ({
        ...{ accountId: account, contact, messageId: message, chargeId: charge },
        clientReference: reference,
      }),
      columns: [
        { header: 'ID', of: 'id', narrow: 'cut' },
        { header: 'ACCOUNT', of: 'accountId', narrow: 'drop' },
        { header: 'DIRECTION', of: 'direction', narrow: 'drop' },
        { header: 'TYPE', of: 'messageType' },
        { header: 'STATUS', of: 'status' },
        { header: 'CHARGE', of: 'chargeId', narrow: 'drop' },
        { header: 'CREATED (UTC)', of: 'createdAt', narrow: 'drop' },
      ],
    }),
    showVerb('/messages', 'Show one, with all its events, by the id of the provider'),
  ],
  examples: ['message list --account <id> --contact 919812345678', 'message show <id>'],
};
