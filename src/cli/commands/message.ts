import { type Row, readableTime, rowOf } from '../output/format.ts';
import { everyFact, type Facts } from '../output/output.ts';
import { usageError } from '../program/failure.ts';
import type { Noun } from '../program/noun.ts';
import { listVerb, showVerb } from './verbs.ts';

const eventOf = (event: unknown): string => {
  const { at, type, data } = rowOf(event);
  const { status } = rowOf(data);
  return `${readableTime(String(at))} UTC  ${type}${status === undefined ? '' : ` ${status}`}`;
};

/** Every field, and a line for each event. */
const factsOf = ({ timeline, ...fields }: Row): Facts => [
  ...everyFact(fields),
  ...(Array.isArray(timeline) ? timeline : []).map((event) => ['event', eventOf(event)] as const),
];

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
      query({ account, contact, message, charge, reference }) {
        if ((account ?? message ?? charge) === undefined) {
          throw usageError('Give --account, --message or --charge');
        }
        const ids = { accountId: account, messageId: message, chargeId: charge };
        return { ...ids, contact, clientReference: reference };
      },
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
    showVerb('/messages', 'Show one, with its events, by the id of the provider', factsOf),
  ],
  examples: ['message list --account <id> --contact 919812345678', 'message show <id>'],
};
