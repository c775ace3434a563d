import { pause } from '../../shared/timing.ts';
import { route } from '../api/api.ts';
import { STANDARD_OUTPUT, writeOut } from '../output/file.ts';
import { type Row, rowOf } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import type { Context } from '../program/context.ts';
import { CliError } from '../program/failure.ts';
import type { Noun, Verb } from '../program/noun.ts';

/** Between two looks at an erasure. */
const LOOK_EVERY_MS = 250;
/** An erasure that is not done by then goes on without us. */
const WAIT_MS_MAX = 300_000;

const foundOf = (found: unknown): string => {
  if (found === null) return 'not counted yet';
  const { events, messages, conversations, runs, deadLetters } = rowOf(found);
  return (
    `${events} events, ${messages} messages, ${conversations} conversations, ` +
    `${runs} runs of bots, ${deadLetters} dead letters`
  );
};

const factsOf = (erasure: Row): Facts => [
  ['id', erasure.id],
  ['state', erasure.state],
  ['account', erasure.accountId ?? 'all'],
  ['reason', erasure.reason],
  ['found', foundOf(erasure.found)],
  ['requested at', erasure.requestedAt],
  ['done at', erasure.doneAt],
];

/** Shows an erasure once it is done, or that it waits for another administrator. */
export const followErasure = async (
  { api, out }: Pick<Context, 'api' | 'out'>,
  begun: Row,
): Promise<void> => {
  const id = String(begun.id);
  let erasure = begun;
  const isOpen = () => erasure.state !== 'done' && !erasure.approval;
  for (let waitedMs = 0; isOpen(); waitedMs += LOOK_EVERY_MS) {
    if (waitedMs >= WAIT_MS_MAX) {
      throw new CliError(`The erasure ${id} goes on. See: waybill contact erasure ${id}`);
    }
    out.progress.show(`${id}: ${erasure.state}`);
    await pause(LOOK_EVERY_MS);
    erasure = await api.get<Row>(route`/erasures/${id}`);
  }
  out.progress.end();
  out.one(erasure, factsOf);
};

interface Erase {
  account?: string;
  reason?: string;
}

const erase: Verb = (noun, act) =>
  noun
    .command('erase')
    .description('Erase a contact for good, and wait until done')
    .argument('<contact>', "Digits, + and digits, or the provider's id of a customer")
    .option('--account <id>', 'In this account alone (default: in all)')
    .option('--reason <text>', 'Why; kept, so without the number')
    .action(
      act(async ({ api, out }, contact: string, { account: accountId, reason }: Erase) => {
        const begun = await api.send<Row>('POST', '/erasures', { contact, accountId, reason });
        await followErasure({ api, out }, begun);
      }),
    );

const show: Verb = (noun, act) =>
  noun
    .command('erasure')
    .description('Show one erasure: its state, and what was found')
    .argument('<id>')
    .action(
      act(async ({ api, out }, id: string) =>
        out.one(await api.get(route`/erasures/${id}`), factsOf),
      ),
    );

interface Export {
  account?: string;
  out: string;
}

/** The same with a line end. */
async function* ended(content: AsyncIterable<Buffer>) {
  yield* content;
  yield '\n';
}

const exportVerb: Verb = (noun, act, io) =>
  noun
    .command('export')
    .description('Write all that is held of a contact, as JSON')
    .argument('<contact>', "Digits, + and digits, or the provider's id of a customer")
    .option('--account <id>', 'In this account alone (default: in all)')
    .option('--out <file>', 'Into this file, for you alone to read', STANDARD_OUTPUT)
    .action(
      act(async ({ api, out }, contact: string, { account: accountId, out: file }: Export) => {
        const content = api.stream(route`/contacts/${contact}/export`, { accountId });
        await writeOut(io, file, file === STANDARD_OUTPUT ? ended(content) : content);
        if (file !== STANDARD_OUTPUT) out.done({ file }, `Written to ${file}`);
      }),
    );

export const contact: Noun = {
  name: 'contact',
  group: 'Customers',
  summary: 'What is held of a customer: erase it, export it',
  verbs: [erase, show, exportVerb],
  examples: [
    'contact erase 919812345678 --reason "asked by letter"',
    'contact erase IN.13491208655302741918 --account <id>',
    'contact erasure <id>',
    'contact export 919812345678 --out held.json',
  ],
};
