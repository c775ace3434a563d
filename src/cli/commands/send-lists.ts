import type { Command } from 'commander';
import { type Row, rowOf } from '../output/format.ts';
import { createAct } from '../program/context.ts';
import { oneOf, time } from '../program/input.ts';
import type { Io } from '../program/io.ts';
import { accessToList, type GlobalOptions } from '../program/settings.ts';
import { listVerb } from './verbs.ts';

const states = [
  ...(['pending', 'accepted', 'refused', 'unreachable'] as const),
  ...(['unknown', 'not_sent', 'disconnected', 'swept'] as const),
] as const;

interface Filters extends GlobalOptions {
  account?: string;
  to?: string;
  state?: string;
  event?: string;
  reference?: string;
  request?: string;
  code?: string;
  since?: string;
  until?: string;
}

const errorOf = ({ error }: Row): unknown => {
  const { code, providerCode, title } = rowOf(error ?? {});
  return error && `${providerCode ?? code}: ${title}`;
};

const selected = (list: Command, io: Io): Command =>
  list
    .option('--account <id>', 'As an administrator: of this account (default: of all)')
    .option('--since <time>', 'From a time or day on, or a span such as 7d', time(io.now))
    .option('--until <time>', 'Before a time or day, or a span such as 24h', time(io.now));

/** `waybill send list` and `waybill send refusals`: what became of sends. `--to` is an option of `send`. */
export const addSendLists = (send: Command, io: Io): void => {
  const access = accessToList(io);
  listVerb<Filters>({
    description:
      'List attempts to send and what became of each, newest first (--to: of one customer)',
    from: '/sends',
    field: 'sends',
    selection: (list) =>
      selected(
        list
          .option('--state <state>', states.join(', '), oneOf(states))
          .option('--event <event>', 'For this event of the catalog')
          .option('--reference <text>', 'The clientReference of the send')
          .option('--request <id>', 'The X-Request-Id of the send'),
        io,
      ),
    query: ({
      account: accountId,
      to: contact,
      state,
      event,
      reference,
      request,
      since,
      until,
    }) => ({
      accountId,
      contact,
      state,
      event,
      clientReference: reference,
      requestId: request,
      since,
      until,
    }),
    columns: [
      { header: 'AT (UTC)', of: 'at' },
      { header: 'ACCOUNT', of: 'accountId', narrow: 'drop' },
      { header: 'TO', of: ({ to, contactUserId }) => to ?? contactUserId },
      {
        header: 'WHAT',
        of: ({ event, templateName, channel }) => event ?? templateName ?? channel,
      },
      { header: 'STATE', of: 'state' },
      { header: 'ERROR', of: errorOf, narrow: 'cut' },
      { header: 'CHARGE', of: 'id', narrow: 'drop' },
    ],
  })(send, createAct(io, access), io);
  listVerb<Filters>({
    name: 'refusals',
    description: 'Count the sends that were refused before a charge, by code and minute',
    from: '/sends/refusals',
    field: 'refusals',
    selection: (list) =>
      selected(list.option('--code <code>', 'Refused under this code, such as CAP_DAILY'), io),
    query: ({ account: accountId, code, to: contact, since, until }) => ({
      accountId,
      code,
      contact,
      since,
      until,
    }),
    columns: [
      { header: 'MINUTE (UTC)', of: 'minute' },
      { header: 'ACCOUNT', of: 'accountId', narrow: 'drop' },
      { header: 'CODE', of: 'code' },
      { header: 'COUNT', of: 'count' },
      { header: 'LAST TO', of: 'to', narrow: 'drop' },
      { header: 'LAST REQUEST', of: 'lastRequestId', narrow: 'drop' },
    ],
  })(send, createAct(io, access), io);
};
