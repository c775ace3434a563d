import { type Command, InvalidArgumentError } from 'commander';
import { route } from '../api/api.ts';
import { type Row, rowOf } from '../output/format.ts';
import { everyFact, type Facts } from '../output/output.ts';
import { usageError } from '../program/failure.ts';
import { oneOf, time } from '../program/input.ts';
import type { Io } from '../program/io.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { listVerb, postVerb, showVerb } from './verbs.ts';

const states = [
  ...(['waiting', 'sending', 'sent', 'refused'] as const),
  ...(['expired', 'cancelled', 'erased'] as const),
] as const;

/** When a message goes out, as options give it. */
export interface TimingOptions {
  at?: string;
  between?: { from: string; until: string };
  timeZone?: string;
  notAfter?: string;
  ignoreQuietHours?: true;
}

/** `09:00-20:00` as a window. */
export const hours = (text: string): { from: string; until: string } => {
  const [, from, until] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(text) ?? [];
  if (from !== undefined && until !== undefined) return { from, until };
  throw new InvalidArgumentError('Must be two times of the day, such as 09:00-20:00.');
};

export const withHours = (command: Command, io: Io): Command =>
  command
    .option('--at <time>', 'At this time, or after a span such as 2h', time(io.now, 'forward'))
    .option('--between <hours>', 'When these hours are open, such as 09:00-20:00', hours)
    .option('--time-zone <name>', 'Of --between, such as Asia/Kolkata');

/** The fields of a body that say when it goes out. */
export const timingOf = ({ at, between, timeZone, notAfter, ignoreQuietHours }: TimingOptions) => {
  if (timeZone !== undefined && !between) throw usageError('--time-zone goes with --between');
  const deliverBetween = between && { ...between, timeZone };
  return { sendAt: at, deliverBetween, notAfter, ignoreQuietHours };
};

const factsOf = ({ rule, error, problems, ...fields }: Row): Facts => [
  ...everyFact(fields),
  ['because', rowOf(rule).text],
  ...(error ? [['error', rowOf(error).error] as const] : []),
  ...(Array.isArray(problems) && problems.length > 0 ? [['problems', problems] as const] : []),
];

const list = listVerb<{ state?: string; contact?: string }>({
  description: 'List scheduled sends, newest first',
  from: '/scheduled',
  field: 'scheduled',
  selection: (command) =>
    command
      .option('--state <state>', states.join(', '), oneOf(states))
      .option('--contact <number>', 'To this number or user id'),
  query: ({ state, contact }) => ({ state, contact }),
  columns: [
    { header: 'ID', of: 'id', narrow: 'cut' },
    { header: 'DUE (UTC)', of: 'dueAt' },
    { header: 'STATE', of: 'state' },
    { header: 'TO', of: 'to' },
    { header: 'EVENT', of: 'event', narrow: 'drop' },
    { header: 'ERROR', of: ({ error }) => rowOf(error ?? {}).code, narrow: 'drop' },
    { header: 'MESSAGE', of: 'metaMessageId', narrow: 'drop' },
  ],
});

const move: Verb = (noun, act, io) =>
  withHours(
    noun.command('move').description('Change when a send that waits goes out').argument('<id>'),
    io,
  )
    .option('--not-after <time>', 'Not after this time', time(io.now, 'forward'))
    .action(
      act(async ({ api, out }, id: string, options: TimingOptions) => {
        const body = timingOf(options);
        if (Object.values(body).every((value) => value === undefined)) {
          throw usageError('Nothing to change: give --at, --between or --not-after');
        }
        out.one(await api.send('PATCH', route`/scheduled/${id}`, body), factsOf);
      }),
    );

const cancel: Verb = (noun, act) =>
  noun
    .command('cancel')
    .description('Cancel a send that waits')
    .argument('<id>')
    .action(
      act(async ({ api, out }, id: string) =>
        out.one(await api.send('DELETE', route`/scheduled/${id}`), factsOf),
      ),
    );

export const scheduled: Noun = {
  name: 'scheduled',
  group: 'Messages',
  summary: 'Sends that wait for their time: list, show, move, cancel, send-now',
  access: 'key',
  verbs: [
    list,
    showVerb('/scheduled', 'Show one', factsOf),
    move,
    cancel,
    postVerb('/scheduled', 'send-now', 'Send one now, or after the quiet hours'),
  ],
  examples: [
    'scheduled list --state waiting',
    'scheduled show <id>',
    'scheduled move <id> --at 2h',
    'scheduled cancel <id>',
    'scheduled send-now <id>',
  ],
};
