import { type Command, InvalidArgumentError } from 'commander';
import { type Answer, route } from '../api/api.ts';
import { type Row, rowOf, signed } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import type { Context } from '../program/context.ts';
import { wholeNumber } from '../program/input.ts';
import type { Noun, Verb } from '../program/noun.ts';

export interface MoneyOptions {
  idempotencyKey?: string;
}

const keyText = (text: string): string => {
  if (/^[!-~]{1,255}$/.test(text)) return text;
  throw new InvalidArgumentError('Must be 1 to 255 characters of printable ASCII.');
};

export const withIdempotencyKey = (command: Command): Command =>
  command.option(
    '--idempotency-key <key>',
    'Key of the attempt to repeat (default: a new one)',
    keyText,
  );

/** A POST that counts once, however often it is repeated with the same key. */
export const postOnce = async (
  { api, out, io }: Context,
  path: string,
  body: unknown,
  { idempotencyKey = io.uuid() }: MoneyOptions,
): Promise<Answer> => {
  const answer = await api.call('POST', path, { body, idempotencyKey });
  if (answer.headers['idempotency-replayed'] === 'true') {
    out.note('This was done before. You see the answer of the first attempt; nothing changed now.');
  }
  return answer;
};

/** The body of the answer to a POST that moves money. */
export const postMoney = async (...given: Parameters<typeof postOnce>): Promise<unknown> =>
  (await postOnce(...given)).body;

const nameOf = (administrator: unknown): unknown => {
  const { name, email } = rowOf(administrator);
  return name === undefined ? null : `${String(name)} <${String(email)}>`;
};

/** How the message of a ledger entry was priced; empty for an entry without a message. */
export const priceOf = ({ metadata }: Row): Row => {
  try {
    return typeof metadata === 'string' ? rowOf(JSON.parse(metadata)) : {};
  } catch {
    return {};
  }
};

const entryFacts = (entry: Row): Facts => [
  ['id', entry.id],
  ['type', entry.type],
  ['amount', signed(entry.amount)],
  ['balance after', entry.balanceAfter],
  ['reason', entry.reason],
  ['cause', entry.cause],
  ['granted by', nameOf(entry.grantedBy)],
  ['created at', entry.createdAt],
];

/** Moves money of an account and shows the ledger entry: `POST /accounts/<id>/<noun>/<verb>`. */
const moneyVerb =
  (verb: string, description: string, parseAmount: (text: string) => string | number): Verb =>
  (noun, act) =>
    withIdempotencyKey(
      noun
        .command(verb)
        .description(description)
        .argument('<account>')
        .argument('<amount>', '', parseAmount)
        .option('--reason <text>', 'The ledger shows it'),
    ).action(
      act(
        async (
          context,
          account: string,
          amount: string | number,
          { reason, ...options }: MoneyOptions & { reason?: string },
        ) => {
          const path = route`/accounts/${account}/${noun.name()}/${verb}`;
          context.out.one(await postMoney(context, path, { amount, reason }, options), entryFacts);
        },
      ),
    );

export const credits: Noun = {
  name: 'credits',
  group: 'Money',
  summary: 'Credits of accounts on credit plans: grant, revoke',
  verbs: [
    moneyVerb('grant', 'Grant credits', wholeNumber(1)),
    moneyVerb('revoke', 'Take credits back; the balance stays at 0 or above', wholeNumber(1)),
  ],
  examples: [
    'credits grant <account> 500 --reason "Welcome"',
    'credits revoke <account> 20 --reason "Granted by mistake"',
  ],
};

/** The amount stays text: a binary fraction would round it. */
const decimal = (text: string): string => {
  if (/^-?\d{1,15}(\.\d{1,6})?$/.test(text)) return text;
  throw new InvalidArgumentError('Must be a decimal number such as 25.00.');
};

export const wallet: Noun = {
  name: 'wallet',
  group: 'Money',
  summary: 'Money of accounts on wallet plans: top up, adjust',
  verbs: [
    moneyVerb('top-up', 'Top a wallet up, in the currency of its plan', decimal),
    moneyVerb('adjust', 'Adjust a wallet up or down; it stays at 0 or above', decimal),
  ],
  examples: [
    'wallet top-up <account> 25.00 --reason "Invoice 1042"',
    'wallet adjust <account> -3.50 --reason "Charged twice"',
  ],
};
