import type { Command } from 'commander';
import { errorWords } from '../api/api-error.ts';
import { type Row, rowOf } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import { type Context, createAct } from '../program/context.ts';
import { usageError } from '../program/failure.ts';
import { withExtra } from '../program/help.ts';
import { gathered, time } from '../program/input.ts';
import type { Io } from '../program/io.ts';
import { type MoneyOptions, postOnce, withIdempotencyKey } from './money.ts';
import { type TimingOptions, timingOf, withHours } from './scheduled.ts';
import { addSendLists } from './send-lists.ts';

interface Options extends MoneyOptions, TimingOptions {
  to?: string;
  text?: string;
  template?: string;
  param?: string[];
  language?: string;
  number?: string;
  reference?: string;
  strict?: true;
  fallback?: true;
  quote?: string;
  dryRun?: true;
}

/** `orderId=A-1` as a name and a value. */
export const namedValues = (words: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=');
      if (at > 0) return [word.slice(0, at), word.slice(at + 1)];
      throw usageError(`"${word}" has no name: write name=value, such as orderId=A-1`);
    }),
  );

/** The path of the send, its body, and the kind under which a quote asks about it. */
const requestOf = (event: string | undefined, words: readonly string[], options: Options) => {
  const { to, text, template, param, language, number, reference, strict, fallback } = options;
  if (to === undefined) throw usageError('Give --to: number with country code, or user id');
  const sender = { to, phoneNumberId: number, clientReference: reference };
  const both = { ...sender, ...timingOf(options), quoteId: options.quote };
  if ([event, text, template].filter((given) => given !== undefined).length !== 1) {
    throw usageError('Name one event, or give --text, or --template');
  }
  if (param && template === undefined) throw usageError('--param goes with --template');
  if (event !== undefined) {
    const more = { languageCode: language, allowTextFallback: fallback, strict };
    const body = { ...both, event, variables: namedValues(words), ...more };
    return { kind: 'notification', path: '/notifications/send', body };
  }
  if (fallback) throw usageError('--fallback goes with an event');
  const kind = 'message';
  const path = '/messages/send';
  if (text !== undefined) {
    if (language !== undefined) throw usageError('--language goes with an event or a template');
    return { kind, path, body: { ...both, type: 'text', text: { body: text }, strict } };
  }
  const parameters = param?.map((value) => ({ type: 'text', text: value }));
  const components = parameters && [{ type: 'body', parameters }];
  return {
    kind,
    path,
    body: { ...both, type: 'template', template: { name: template, language, components }, strict },
  };
};

const factsOf = ({ success: _, scheduled, ...answer }: Row, headers: Row): Facts => [
  ['scheduled', scheduled && rowOf(scheduled).id],
  ['due', scheduled && rowOf(scheduled).dueAt],
  ['because', scheduled && rowOf(rowOf(scheduled).rule).text],
  ['problems', scheduled && rowOf(scheduled).problems],
  ['message', answer.messageId],
  ['template', answer.template],
  ['channel', answer.channel ?? answer.type],
  ['blank variables', answer.missingVariables],
  ['held by the provider', answer.providerStatus],
  ['category', headers['x-message-category']],
  ['price', headers['x-message-price']],
  ['credits charged', headers['x-credits-charged']],
  ['credits remaining', headers['x-credits-remaining']],
  ['wallet balance', headers['x-wallet-balance']],
];

const quoteFacts = (quote: Row): Facts => {
  const refusal = rowOf(quote.refusal);
  const [item] = (quote.items as Row[]).map(rowOf);
  return [
    ['would', quote.would],
    ['refused for', quote.refusal === null ? undefined : errorWords(refusal)],
    ['channel', item?.channel],
    ['category', item?.category],
    ['market', item?.market],
    ['price', item?.price],
    ['amount', quote.amount],
    ['balance', quote.balance],
    ['balance after', quote.balanceAfter],
    ['problems', item?.problems],
    ['valid until', quote.validUntil],
    ['quote', quote.quoteId],
  ];
};

const shown = (facts: Facts): Facts => facts.filter(([, value]) => value !== undefined);

/** Shows what the message would cost; sends nothing. */
const quote = async (
  { api, out }: Context,
  [event, ...words]: readonly string[],
  options: Options,
): Promise<void> => {
  const { kind, body } = requestOf(event, words, options);
  out.one(await api.send('POST', '/quotes', { kind, request: body }), (answer) =>
    shown(quoteFacts(answer)),
  );
};

const send = async (
  context: Context,
  given: readonly string[],
  options: Options,
): Promise<void> => {
  if (options.dryRun) return quote(context, given, options);
  const [event, ...words] = given;
  const { path, body } = requestOf(event, words, options);
  const { body: answer, headers } = await postOnce(context, path, body, options);
  context.out.one(answer, (sent) => shown(factsOf(sent, headers)));
};

/** What the message is, of `waybill send` and `waybill quote`. */
const withMessage = (command: Command): Command =>
  command
    .helpGroup('Messages:')
    .argument('[words...]', 'The event, and its variables as name=value')
    .option('--to <number>', 'The recipient: number with country code, or user id')
    .option('--text <text>', 'Send this text, in an open 24-hour window')
    .option('--template <name>', 'Send a template of your own')
    .option('--param <value>', 'A parameter of its body, in order; repeat for more', gathered)
    .option('--language <locale>', 'Language of the template, such as en_US')
    .option('--number <phoneNumberId>', "The sending number (default: the account's oldest)")
    .option('--reference <text>', 'Your reference of the message, to find it by')
    .option('--strict', 'Refuse before any charge: unknown or blank variables, a bad number')
    .option('--fallback', 'Without an approved template: as text, in an open window');

/** `waybill quote`, with the API key of an account. */
export const addQuote = (program: Command, io: Io): void => {
  const command = withMessage(
    program.command('quote').description('Show what a message would cost; sends nothing'),
  ).action(createAct(io, 'key')(quote));
  withExtra(command, {
    examples: [
      'quote order_shipped --to +919812345678 orderId=A-1 awbCode=AWB1 \\\n' +
        '      trackingLink=https://shop.example/t/1',
      'send otp_verification --to +919812345678 otp=482913 --quote <quote>',
    ],
  });
};

/** `waybill send`, with the API key of an account. */
export const addSend = (program: Command, io: Io): void => {
  const command = withIdempotencyKey(
    withHours(
      withMessage(
        program
          .command('send')
          .description('Send an event with its variables, a text or a template'),
      ),
      io,
    )
      .option('--not-after <time>', 'Not after this time', time(io.now, 'forward'))
      .option('--ignore-quiet-hours', 'Also in the quiet hours of the account')
      .option('--dry-run', 'Show what it would cost, and send nothing')
      .option('--quote <quote>', 'Send at the price of this quote, or not at all'),
  ).action(createAct(io, 'key')(send));
  addSendLists(command, io);
  withExtra(command, {
    examples: [
      'send order_shipped --to +919812345678 orderId=A-1 awbCode=AWB1 \\\n' +
        '      trackingLink=https://shop.example/t/1',
      'send otp_verification --to +919812345678 --strict otp=482913',
      'send --to +919812345678 --text "Hi" --at 2h --between 09:00-20:00',
      'send --to +919812345678 --text "We are open until 18 h."',
      'send --to +919812345678 --template sale --param Asha --param "20 %"',
      'send list --to +919812345678',
      'send refusals --since 24h',
    ],
  });
};
