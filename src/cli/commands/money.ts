import { type Command, InvalidArgumentError } from 'commander';
import { type Row, rowOf, signed } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import type { Context } from '../program/context.ts';

export interface MoneyOptions {
  idempotencyKey?: string;
}

const keyText = (text: string): string => {
  if (/^[!-~]{1,255}$/.test(text)) return text;
  throw new InvalidArgumentError('Must be 1 to 255 characters of printable ASCII.');
};

export const withIdempotencyKey = (command: Command): Command =>
  command.option('--idempotency-key <key>', 'Key of the try to repeat (default: new)', keyText);

/** A POST that must not count twice, however often it is repeated with the same key. */
export const postMoney = async (
  { api, out, io }: Context,
  path: string,
  body: unknown,
  options: MoneyOptions,
): Promise<unknown> => {
  const idempotencyKey = options.idempotencyKey ?? io.uuid();
  const answer = await api.call('POST', path, { body, idempotencyKey });
  if (answer.replayed) {
    out.note('This was done before: the answer is that of the first try, nothing was done again.');
  }
  return answer.body;
};

const nameOf = (granted: unknown): unknown => {
  const { name, email } = rowOf(granted);
  return name === undefined ? null : `${String(name)} <${String(email)}>`;
};

/** How the message of a ledger entry was priced; empty where nothing was. */
export const priceOf = ({ metadata }: Row): Row => {
  try {
    return typeof metadata === 'string' ? rowOf(JSON.parse(metadata)) : {};
  } catch {
    return {};
  }
};

export const entryFacts = (entry: Row): Facts => [
  ['id', entry.id],
  ['type', entry.type],
  ['amount', signed(entry.amount)],
  ['balance after', entry.balanceAfter],
  ['reason', entry.reason],
  ['cause', entry.cause],
  ['granted by', nameOf(entry.grantedBy)],
  ['created at', entry.createdAt],
];
