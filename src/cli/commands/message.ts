import { type Api, type Call, route } from '../api/api.ts';
import { ApiRefusal } from '../api/api-error.ts';
import { followMessages } from '../api/follow.ts';
import { print } from '../output/file.ts';
import { isTime, type Row, readableTime, rowOf, textOf } from '../output/format.ts';
import { everyFact, type Facts } from '../output/output.ts';
import { createAct } from '../program/context.ts';
import { usageError } from '../program/failure.ts';
import { oneOf, time, wholeNumber } from '../program/input.ts';
import type { Io } from '../program/io.ts';
import type { Noun, Verb } from '../program/noun.ts';
import {
  type Access,
  accessToList,
  type GlobalOptions,
  readConnection,
} from '../program/settings.ts';
import { listVerb } from './verbs.ts';

const statuses = ['sent', 'delivered', 'read', 'failed'] as const;
const directions = ['inbound', 'outbound'] as const;

interface Filters extends GlobalOptions {
  account?: string;
  contact?: string;
  message?: string;
  charge?: string;
  reference?: string;
  status?: string;
  direction?: string;
  event?: string;
  since?: string;
  until?: string;
}

/** Administrators alone name a message of the provider or a charge. */
const accessOf =
  (io: Io) =>
  (options: Filters): Access =>
    (options.message ?? options.charge) === undefined ? accessToList(io)(options) : 'admin';

/** `show` prefers the administrator's view, which has the provider's cost. */
const accessOfShow =
  (io: Io) =>
  (options: GlobalOptions): Access => {
    const { credential } = readConnection(options, io.env);
    const isKey = options.apiKey !== undefined && options.token === undefined;
    return isKey || (!credential('admin') && credential('key')) ? 'key' : 'admin';
  };

const queryOf =
  (io: Io) =>
  (options: Filters): Call['query'] => {
    const { account, contact, message, charge, reference } = options;
    const { status, direction, event, since, until } = options;
    if ((status ?? event) !== undefined && accessOf(io)(options) === 'admin') {
      throw usageError('--status and --event go with an API key alone');
    }
    const ids = { accountId: account, messageId: message, chargeId: charge };
    const own = { status, direction, event, since, until };
    return { ...ids, ...own, contact, clientReference: reference };
  };

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

const contactOf = ({ direction, recipientWaId, senderWaId, contactUserId }: Row): unknown =>
  (direction === 'inbound' ? senderWaId : recipientWaId) ?? contactUserId;

const find: Verb = (noun, _act, io) => {
  listVerb<Filters>({
    name: 'find',
    description: 'Find messages, newest first',
    from: '/messages',
    field: 'messages',
    selection: (list) =>
      list
        .alias('list')
        .option('--account <id>', 'As an administrator: of this account (default: of all)')
        .option('--message <id>', 'As an administrator: by the id of the provider')
        .option('--charge <id>', 'As an administrator: by the charge that paid')
        .option('--contact <number>', 'To or from this telephone number')
        .option('--reference <text>', 'The clientReference of the send')
        .option('--status <status>', statuses.join(', '), oneOf(statuses))
        .option('--direction <direction>', directions.join(', '), oneOf(directions))
        .option('--event <event>', 'Sent for this event of the catalog')
        .option('--since <time>', 'From a time or day on, or a span such as 7d', time(io.now))
        .option('--until <time>', 'Before a time or day, or a span such as 24h', time(io.now)),
    query: queryOf(io),
    columns: [
      { header: 'ID', of: 'id', narrow: 'cut' },
      { header: 'ACCOUNT', of: 'accountId', narrow: 'drop' },
      { header: 'CONTACT', of: contactOf, narrow: 'drop' },
      { header: 'DIRECTION', of: 'direction', narrow: 'drop' },
      { header: 'TYPE', of: ({ event, messageType }) => event ?? messageType },
      { header: 'STATUS', of: 'status' },
      { header: 'CHARGE', of: 'chargeId', narrow: 'drop' },
      { header: 'CREATED (UTC)', of: 'createdAt', narrow: 'drop' },
    ],
  })(noun, createAct(io, accessOf(io)), io);
};

/** What `/v1` shows of a message: its status, where it was sent, and its events. */
const readOwn = async (api: Api, id: string): Promise<Row> => {
  const timeline = await api.get<Row>(route`/messages/${id}/timeline`);
  const status = await api.get<Row>(route`/notifications/status/${id}`).catch((error: unknown) => {
    // A message of a customer has none.
    if (error instanceof ApiRefusal && error.status === 404) return { metaMessageId: id };
    throw error;
  });
  return { ...status, timeline: timeline.timeline };
};

const show: Verb = (noun, _act, io) => {
  const command = noun
    .command('show')
    .description('Show one, with its events, by the id of the provider')
    .argument('<id>')
    .action(
      createAct(
        io,
        accessOfShow(io),
      )(async ({ api, out }, id: string) => {
        const isAdmin = accessOfShow(io)(command.optsWithGlobals()) === 'admin';
        out.one(isAdmin ? await api.get(route`/messages/${id}`) : await readOwn(api, id), factsOf);
      }),
    );
};

interface TailOptions {
  account?: string;
  contact?: string;
  lines: number;
  count?: number;
}

/** The time of the status, where it is later than the message. */
const changedAt = ({ statusTimestamp, createdAt }: Row): string =>
  isTime(statusTimestamp) && isTime(createdAt) && statusTimestamp > createdAt
    ? statusTimestamp
    : String(createdAt);

const lineOf = (row: Row): string =>
  [
    readableTime(changedAt(row)),
    row.direction === 'inbound' ? '<-' : '->',
    textOf(contactOf(row)).padEnd(15),
    textOf(row.event ?? row.messageType).padEnd(18),
    textOf(row.direction === 'inbound' ? 'received' : row.status).padEnd(9),
    textOf(row.id),
  ].join('  ');

const tail: Verb = (noun, _act, io) =>
  noun
    .command('tail')
    .description('Follow messages and their statuses as they come, until Ctrl-C')
    .option('--account <id>', 'As an administrator: of this account (default: of all)')
    .option('--contact <number>', 'To or from this telephone number')
    .option('--lines <n>', 'Begin with so many earlier messages', wholeNumber(0, 100), 10)
    .option('--count <n>', 'End after so many lines', wholeNumber(1, 1_000_000))
    .action(
      createAct(
        io,
        accessOf(io),
      )(async ({ api, out }, { account, contact, lines, count = Infinity }: TailOptions) => {
        const query = { accountId: account, contact };
        const following = { query, earlier: lines, signal: io.interrupted(), note: out.note };
        let left = count;
        for await (const row of followMessages(api, following)) {
          await print(io, `${out.isJson ? JSON.stringify(row) : lineOf(row)}\n`);
          left -= 1;
          if (left === 0) return;
        }
      }),
    );

export const message: Noun = {
  name: 'message',
  group: 'Messages',
  summary: 'Messages of an account: find, show with events, tail',
  verbs: [find, show, tail],
  examples: [
    'message find --status failed --since 24h',
    'message find --account <id> --contact 919812345678',
    'message show <id>',
    'message tail',
    'message tail --lines 0 --count 1 --json',
  ],
};
