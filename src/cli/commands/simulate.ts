import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { mediaTypeNames, mediaTypeOf } from '../../provider/rules/media-types.ts';
import { notices } from '../../provider/simulator/notices.ts';
import { pause } from '../../shared/timing.ts';
import { type Row, rowOf } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import { createLocalAct } from '../program/context.ts';
import { CliError, codeOf, usageError } from '../program/failure.ts';
import { gathered, oneOf } from '../program/input.ts';
import type { Io } from '../program/io.ts';
import type { Noun, Verb } from '../program/noun.ts';
import { namedValues } from './send.ts';

/** A control call of the simulator takes 1 MB, and base64 needs 4 bytes for 3. */
const FILE_BYTES_MAX = 700_000;

/** A file as the simulator's customer sends it. */
const readCustomerFile = async (file: string, mimeType: string | undefined) => {
  const kind = mimeType === undefined ? undefined : mediaTypeOf(mimeType)?.kind;
  if (kind === undefined) {
    throw usageError(
      `Give the type of the file with --type, as one of ${mediaTypeNames.join(', ')}`,
    );
  }
  const content = await readFile(file).catch((error: unknown) => {
    throw new CliError(`${file} cannot be read: ${codeOf(error)}`, 1, error);
  });
  if (content.length > FILE_BYTES_MAX) {
    throw new CliError(`${file} is larger than ${FILE_BYTES_MAX} bytes`);
  }
  const name = kind === 'document' && { filename: basename(file) };
  return { kind, mimeType, content: content.toString('base64'), ...name };
};

interface ToSimulator {
  providerUrl?: string;
}

interface InboundOptions extends ToSimulator {
  from: string;
  text?: string;
  button?: string;
  row?: string;
  file?: string;
  type?: string;
  title?: string;
  number: string;
  name?: string;
  id?: string;
  context?: string;
  wait: number;
}

/** The number that the demo links. */
const DEMO_NUMBER = '100000000000001';
/** The simulator waits up to 10 s for the service. */
const TIMEOUT_MS = 15_000;
const WAIT_SECONDS_MAX = 60;
const POLL_MS = 100;
/** Wait after each reply, because a bot may send several. */
const QUIET_MS = 400;

const sender = (text: string): string => {
  if (/^\+?\d{5,20}$/.test(text)) return text;
  throw new InvalidArgumentError('Must be a telephone number such as +919812345678.');
};

const seconds = (text: string): number => {
  const value = Number(text);
  if (text.trim() !== '' && value >= 0 && value <= WAIT_SECONDS_MAX) return value;
  throw new InvalidArgumentError(`Must be seconds, from 0 to ${WAIT_SECONDS_MAX}.`);
};

const readProviderUrl = ({ providerUrl }: ToSimulator, env: Io['env']): string => {
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

const NO_REPLY =
  'No reply. GET /v1/bots/:botId/runs shows the runs of a bot; docs/bots.md says why a bot may ' +
  'not answer.';

/** The one action of the customer that the options name. */
const actionOf = async (options: InboundOptions): Promise<object> => {
  const { text, button, row, file, title } = options;
  const actions = [
    text !== undefined && { text },
    button !== undefined && { button: { id: button, title: title ?? button } },
    row !== undefined && { row: { id: row, title: title ?? row } },
    file !== undefined && { file },
  ].filter((action) => action !== false);
  const [action] = actions;
  if (!action || actions.length > 1) {
    throw usageError('Give one of --text, --button, --row and --file');
  }
  return file === undefined ? action : { media: await readCustomerFile(file, options.type) };
};

const ask = async (url: string, body?: object): Promise<{ status: number; answer: Row }> => {
  const { request } = await import('undici');
  const answered = await request(url, {
    method: body === undefined ? 'GET' : 'POST',
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new CliError(`Cannot reach the simulator at ${url}: ${codeOf(error)}`, 1, error);
  });
  const answer = rowOf(await answered.body.json().catch(() => undefined));
  return { status: answered.statusCode, answer };
};

const noSimulator = () =>
  new CliError('There is no simulated provider at that address: is it that of the service?');

const post = async (url: string, body: object): Promise<Row> => {
  const { status, answer } = await ask(url, body);
  if (status === 200 && 'status' in answer) return answer;
  if (status !== 400) throw noSimulator();
  throw new CliError(`The simulator refused it: ${String(answer.error)}`);
};

/** The text that the customer reads. */
const wordsOf = ({ type, body }: Row): string => {
  const { text, interactive, template } = rowOf(body);
  const words = rowOf(text).body ?? rowOf(rowOf(interactive).body).text ?? rowOf(template).name;
  return typeof words === 'string' ? `${words}${template ? ' (template)' : ''}` : `(${type})`;
};

/** The messages from this number to the customer so far. */
const sendsTo = async (base: string, from: string, phoneNumberId: string): Promise<Row[]> => {
  const to = from.replace('+', '');
  const { answer } = await ask(`${base}/_simulator/sends?to=${to}`);
  if (!Array.isArray(answer.sends)) throw noSimulator();
  const sends = answer.sends.map(rowOf);
  return sends.filter((one) => one.phoneNumberId === phoneNumberId && one.messageId !== null);
};

/** Waits for replies: `waitMs` for the first, and after each a little longer for another. */
const awaitReplies = async (read: () => Promise<Row[]>, known: number, waitMs: number) => {
  let until = performance.now() + waitMs;
  let count = known;
  for (;;) {
    const sends = await read();
    if (sends.length > count) until = performance.now() + QUIET_MS;
    count = sends.length;
    if (performance.now() >= until) return sends.slice(known);
    await pause(POLL_MS);
  }
};

const factsOf = ({ status, ...rest }: Row): Facts => [
  ...Object.entries(rest).map(
    ([name, value]) => [name === 'messageId' ? 'message' : name, value] as const,
  ),
  ['HTTP status of the service', status ?? 'no answer'],
];

const mustBeTaken = ({ status }: Row): void => {
  if (status !== 200) throw new CliError(`The service answered ${status ?? 'nothing'}`);
};

const NUMBER = [
  '--number <phoneNumberId>',
  'Id of the number (default: that of the demo)',
  DEMO_NUMBER,
] as const;
const PROVIDER_URL = [
  '--provider-url <url>',
  'The simulated provider (or WAYBILL_PROVIDER_URL)',
] as const;

const inbound: Verb = (noun, _act, io) =>
  noun
    .command('inbound')
    .description('Let a customer write, tap, choose or send a file')
    .requiredOption('--from <number>', 'Telephone number of the customer', sender)
    .option('--text <text>', 'What the customer writes')
    .option('--button <id>', 'The reply button that the customer taps')
    .option('--row <id>', 'The row of a list that the customer chooses')
    .option('--file <path>', 'The file that the customer sends, up to 700 kB')
    .option('--type <type>', 'Type of the file, such as image/png')
    .option('--title <text>', 'Label of the button or row (default: its id)')
    .option(...NUMBER)
    .option('--name <name>', 'Profile name of the customer')
    .option('--id <messageId>', 'Id of the message; give one twice to send it twice')
    .option('--context <messageId>', 'The message that this one answers')
    .option(...PROVIDER_URL)
    .option('--wait <seconds>', 'Seconds to wait for replies, 0 to 60 (default: 2)', seconds, 2)
    .action(
      createLocalAct(io)(async ({ out }, options: InboundOptions) => {
        const base = readProviderUrl(options, io.env);
        const { from, number: phoneNumberId, name, id: messageId, context } = options;
        const action = await actionOf(options);
        const looks = !out.isJson && options.wait > 0;
        const read = () => sendsTo(base, from, phoneNumberId);
        const known = looks ? (await read()).length : 0;
        const answer = await post(`${base}/_simulator/inbound`, {
          from,
          phoneNumberId,
          name,
          messageId,
          contextMessageId: context,
          ...action,
        });
        out.one(answer, factsOf);
        mustBeTaken(answer);
        if (!looks) return;
        const replies = await awaitReplies(read, known, options.wait * 1000);
        for (const reply of replies) out.done(reply, `Sent back: ${wordsOf(reply)}`);
        if (replies.length === 0) out.note(NO_REPLY);
      }),
    );

/** The step of a message as the simulator takes it: a number is the code of a failure. */
const stepOf = (text: string): string | number => {
  if (['sent', 'delivered', 'read'].includes(text)) return text;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Must be sent, delivered, read, or the code of a failure.');
};

const status: Verb = (noun, _act, io) =>
  noun
    .command('status')
    .description('Report what became of a message')
    .argument('<messageId>')
    .argument('<step>', 'sent, delivered, read, or a code such as 131026', stepOf)
    .option(...PROVIDER_URL)
    .action(
      createLocalAct(io)(
        async ({ out }, messageId: string, step: string | number, options: ToSimulator) => {
          const base = readProviderUrl(options, io.env);
          const answer = await post(`${base}/_simulator/status`, { messageId, step });
          out.one(answer, factsOf);
          mustBeTaken(answer);
        },
      ),
    );

interface TriggerOptions extends ToSimulator {
  number: string;
  template?: string;
  contact?: string;
  set?: string[];
}

const fields = Object.keys(notices);

const trigger: Verb = (noun, _act, io) =>
  noun
    .command('trigger')
    .description('Send a notice of the provider')
    .argument('<notice>', `One of ${fields.join(', ')}`, oneOf(fields))
    .option(...NUMBER)
    .option('--template <name>', 'The template that it is about (default: any)')
    .option('--contact <number>', 'The customer that it is about', sender)
    .option('--set <field=value>', 'What it says instead; repeat for more', gathered)
    .option(...PROVIDER_URL)
    .action(
      createLocalAct(io)(async ({ out }, field: string, options: TriggerOptions) => {
        const base = readProviderUrl(options, io.env);
        const { number: phoneNumberId, template, contact, set = [] } = options;
        const body = { phoneNumberId, field, template, contact, set: namedValues(set) };
        const answer = await post(`${base}/_simulator/notice`, body);
        out.one(answer, factsOf);
        mustBeTaken(answer);
      }),
    );

export const simulate: Noun = {
  name: 'simulate',
  group: 'Operation',
  summary: 'Customers and notices of the simulated provider: inbound, status, trigger',
  verbs: [inbound, status, trigger],
  examples: [
    'simulate inbound --from +919812345678 --text "Where is my order?"',
    'simulate inbound --from +919812345678 --button yes --title "Yes"',
    'simulate status <messageId> delivered',
    'simulate status <messageId> 131026',
    'simulate trigger template_category_update --template order_shipped',
    'simulate trigger phone_number_quality_update',
    'simulate trigger user_preferences --set value=resume',
  ],
};
