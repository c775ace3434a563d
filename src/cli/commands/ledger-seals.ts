import { readFile } from 'node:fs/promises';
import { formatMicros } from '../../shared/decimal.ts';
import { printable } from '../../shared/printable.ts';
import { readPages } from '../api/paging.ts';
import { writeFile } from '../output/file.ts';
import { type Row, rowOf } from '../output/format.ts';
import { type Context, createLocalAct } from '../program/context.ts';
import { CliError, codeOf, usageError } from '../program/failure.ts';
import { gathered } from '../program/input.ts';
import type { Verb } from '../program/noun.ts';
import { actOnBooks, type BooksOptions, reported, withSource } from './books.ts';
import { counted } from './ledger-verify.ts';

const SEAL_TIMEOUT_MS = 3_600_000;

/** The seals of the service after one, oldest first. */
async function* readSeals(api: Context['api'], after: number): AsyncGenerator<Row, void, void> {
  const query = { from: after + 1, limit: 100 };
  const listing = { from: '/ledger/seals', field: 'seals', query };
  for await (const { rows } of readPages(api, listing, 'from')) yield* rows;
}

/** Brings a file of seals up to the service's last one. */
const keep = async (api: Context['api'], file: string, count: number): Promise<void> => {
  const { appendSeals } = await import('../../audit/seals/seals-file.ts');
  await reported(() =>
    appendSeals(file, {
      count,
      async noteOf(number) {
        for await (const { note } of readSeals(api, number - 1)) return String(note);
        return undefined;
      },
      async *notesAfter(number) {
        for await (const { note } of readSeals(api, number)) yield String(note);
      },
    }),
  );
};

export const seal: Verb = (noun, act) =>
  noun
    .command('seal')
    .description('Seal the ledger now')
    .option('--out <file>', 'Append the seals that this file does not hold yet')
    .action(
      act(async ({ api, out }, { out: file }: { out?: string }) => {
        const call = { timeoutMs: SEAL_TIMEOUT_MS };
        const made = rowOf((await api.call('POST', '/ledger/seals', call)).body);
        if (file !== undefined) await keep(api, file, Number(made.number));
        const place = file === undefined ? '' : `, and all seals are in ${file}`;
        const what = `seal ${made.number} of ${made.at}: ${counted(Number(made.size), 'entry', 'entries')}`;
        out.done(made, `Made ${what}${place}`);
      }),
    );

export const key: Verb = (noun, act) =>
  noun
    .command('key')
    .description('Print the key that verifies seals')
    .action(
      act(async ({ api, out }) => {
        const { key: text } = rowOf(await api.get('/ledger/seals', { limit: 1 }));
        out.done({ key: text }, String(text));
      }),
    );

interface ProofOptions extends BooksOptions {
  file?: string;
  key?: readonly string[];
  policy?: string;
  out?: string;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const readWhole = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(`${file} cannot be read: ${codeOf(error)}`, 1, error);
  });

const readProof = async (file: string) => {
  const { AnyProof } = await import('../../audit/seals/proof.ts');
  const { isTlogProof, parseTlogProof } = await import('../../audit/seals/tlog-proof.ts');
  const text = await readWhole(file);
  const found = isTlogProof(text) ? parseTlogProof(text) : AnyProof.safeParse(parseJson(text)).data;
  if (!found) throw new CliError('The file holds no proof of a charge');
  return found;
};

/** Checks a proof; throws unless it holds. */
const check = async (file: string, given: Pick<ProofOptions, 'key' | 'policy'>) => {
  const { sealsOf } = await import('../../audit/seals/given-seals.ts');
  const { checkProof } = await import('../../audit/seals/proof.ts');
  const { UNWITNESSED } = await import('../../audit/seals/seal-audit.ts');
  const { nameOfSeal } = await import('../../audit/seals/seals-file.ts');
  const text = given.policy === undefined ? undefined : await readWhole(given.policy);
  const { keys = [], policy } = sealsOf({ keys: given.key, policy: text });
  if (keys.length === 0) {
    throw usageError('Add --key, or --policy with a log: without a key anybody can make a proof');
  }
  const proof = await readProof(file);
  const { problems: ofProof, seal: by, charge } = checkProof(proof, keys);
  const isWitnessed = policy === undefined || policy.isMetBy(proof.note);
  const problems = isWitnessed ? ofProof : [...ofProof, `of its seal: ${UNWITNESSED}`];
  if (problems.length > 0) throw new CliError(`The proof does not hold: ${problems.join('; ')}`);
  const { chargeId, accountId, at, amount, price } = charge!.data;
  const { billing, currency, category, market, planId, planVersion, rateCardId } = price;
  const found = {
    chargeId,
    accountId,
    at,
    amount: billing === 'wallet' ? formatMicros(amount) : amount,
    billing,
    currency,
    category,
    market,
    price: formatMicros(price.sellPrice),
    planId,
    planVersion,
    rateCardId,
    seal: by!.old?.number ?? null,
    size: by!.old ? null : by!.size,
    root: by!.root,
    sealedAt: by!.old?.at ?? null,
    origin: by!.origin,
  };
  return { found, sealName: nameOfSeal(by!) };
};

/** What a proof that holds proves, a sentence on each line. */
const inWords = ({ found, sealName }: Awaited<ReturnType<typeof check>>): string => {
  const { amount, billing, currency, price, planId, planVersion, rateCardId, sealedAt } = found;
  const paid = String(amount).replace('-', '');
  const unit = billing === 'wallet' ? currency : `credit${paid === '1' ? '' : 's'}`;
  const terms = `plan ${planId} version ${planVersion}, rate card ${rateCardId ?? 'none'}`;
  const when = sealedAt === null ? '' : ` of ${sealedAt}`;
  const sentences = [
    `The proof holds: the ${sealName}${when} covers ${found.chargeId}.`,
    `Account ${found.accountId} was charged ${paid} ${unit} at ${found.at}.`,
    `It was for a message in ${found.category}, market ${found.market}, at ${price} ${currency} by ${terms}.`,
    `The seal is of ${found.origin}, its root ${found.root}. Whether the charge was given back later is not in it.`,
    'That the charge is of this account, the chain in its export proves.',
  ];
  return sentences.map(printable).join('\n');
};

export const proof: Verb = (noun, act, io) => {
  const checkFile = createLocalAct(io)(
    async ({ out }, charge: string | undefined, { file = '', ...given }: ProofOptions) => {
      if (charge !== undefined) throw usageError('--file goes with no charge: the proof names it');
      const checked = await reported(() => check(file, given));
      out.done(checked.found, inWords(checked));
    },
  );
  const fetch = actOnBooks(
    act,
    io,
  )(async ({ books, out }, charge: string | undefined, { out: file }: ProofOptions) => {
    if (charge === undefined) throw usageError('Name a charge, or a proof with --file');
    const found = await books.proof(charge);
    const { tlogProof } = await import('../../audit/seals/tlog-proof.ts');
    const isTlog = file?.endsWith('.tlog-proof');
    const text = isTlog ? tlogProof(found) : `${JSON.stringify(found, null, 2)}\n`;
    if (file === undefined) return out.done(found, text.trimEnd());
    async function* content() {
      yield text;
    }
    await reported(() => writeFile(file, content()));
    out.done({ file }, `Wrote the proof of ${charge} to ${file}`);
  });
  withSource(
    noun
      .command('proof')
      .description('Prove a charge, or check such a proof')
      .argument('[charge]')
      .option('--out <file>', 'Write the proof to this file: as JSON, or as <name>.tlog-proof')
      .option('--file <file>', 'Check the proof in this file')
      .option('--key <key>', 'Verifier key; may be given several times', gathered)
      .option('--policy <file>', 'Which witnesses must have signed the seal (tlog-policy)'),
  ).action((...args: unknown[]) =>
    (args[1] as ProofOptions).file === undefined ? fetch(...args) : checkFile(...args),
  );
};
