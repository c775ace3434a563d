import { type Command, InvalidArgumentError } from 'commander';
import { CliError, usageError } from '../failure.ts';
import { type Row, rowOf } from '../format.ts';
import type { Io } from '../io.ts';
import type { Noun, Verb } from '../noun.ts';
import { createOutput, type Facts } from '../output.ts';

interface InboundOptions {
  from: string;
  text?: string;
  button?: string;
  row?: string;
  title?: string;
  number: string;
  name?: string;
  id?: string;
  context?: string;
  providerUrl?: string;
  json?: boolean;
}

/** The number that the demo links. */
const DEMO_NUMBER = '100000000000001';
/** The simulator waits so long for the service, and a little for itself. */
const TIMEOUT_MS = 15_000;

const sender = (text: string): string => {
  if (/^\+?\d{5,20}$/.test(text)) return text;
  throw new InvalidArgumentError('Must be a telephone number such as +919812345678.');
};

const readProviderUrl = ({ providerUrl }: InboundOptions, env: Io['env']): string => {
  const text = providerUrl ?? env.WAYBILL_PROVIDER_URL ?? '';
  if (text === '') {
    throw usageError('No simulator: set WAYBILL_PROVIDER_URL, or add --provider-url');
  }
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw usageError('The address of the simulator must be an http or https URL');
  }
  return url.href.replace(/\/+$/, '');
};

/** What the customer does; exactly one thing. */
const deedOf = ({ text, button, row, title }: InboundOptions): object => {
  const deeds = [
    text !== undefined && { text },
    button !== undefined && { button: { id: button, title: title ?? button } },
    row !== undefined && { row: { id: row, title: title ?? row } },
  ].filter((deed) => deed !== false);
  const [deed] = deeds;
  if (!deed || deeds.length > 1) throw usageError('Give one of --text, --button and --row');
  return deed;
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

const post = async (url: string, body: object): Promise<Row> => {
  const { request } = await import('undici');
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new CliError('The simulator cannot be reached at that address', 1, error);
  });
  const text = await answer.body.text();
  const parsed = rowOf(parse(text));
  if (answer.statusCode === 200 && typeof parsed.messageId === 'string') return parsed;
  const reason = typeof parsed.error === 'string' ? `: ${parsed.error}` : '';
  throw new CliError(`The simulator did not take it (${answer.statusCode})${reason}`);
};

const factsOf = ({ messageId, status }: Row): Facts => [
  ['Message', messageId],
  ['Answer of the service', status ?? 'none'],
];

const inbound: Verb = (noun, _act, io) =>
  noun
    .command('inbound')
    .description('Let a customer write, tap a button or choose from a list')
    .requiredOption('--from <number>', 'Telephone number of the customer', sender)
    .option('--text <text>', 'What the customer writes')
    .option('--button <id>', 'The reply button that the customer taps')
    .option('--row <id>', 'The row of a list that the customer chooses')
    .option('--title <text>', 'What stands on the button or row (default: its id)')
    .option('--number <phoneNumberId>', 'The number that is written to', DEMO_NUMBER)
    .option('--name <name>', 'Name in the profile of the customer')
    .option('--id <messageId>', 'Given twice, the same message comes twice')
    .option('--context <messageId>', 'The message that this one answers')
    .option('--provider-url <url>', 'The simulated provider (or WAYBILL_PROVIDER_URL)')
    .action(async (_: InboundOptions, command: Command) => {
      const options = command.optsWithGlobals<InboundOptions>();
      const url = `${readProviderUrl(options, io.env)}/_simulator/inbound`;
      const { from, number: phoneNumberId, name, id: messageId, context } = options;
      const answer = await post(url, {
        ...{ from, phoneNumberId, name, messageId, contextMessageId: context },
        ...deedOf(options),
      });
      createOutput(io, { json: options.json === true }).one(answer, factsOf);
      const { status } = answer;
      if (status !== 200) throw new CliError(`The service answered ${status ?? 'nothing'}`);
    });

export const simulate: Noun = {
  name: 'simulate',
  group: 'Operation',
  summary: 'Customers of the simulated provider: inbound',
  verbs: [inbound],
  examples: [
    'simulate inbound --from +919812345678 --text "Where is my order?"',
    'simulate inbound --from +919812345678 --button yes --title "Yes"',
  ],
};
