import { expect } from 'chai';
import { exportLines, verifyExport } from '../../src/audit/export-file.ts';
import { proofLine } from '../../src/audit/export-proof.ts';
import { accountEvents } from '../../src/audit/movement.ts';
import type { VerifierKey } from '../../src/audit/seals/note.ts';
import type { ExportProof } from '../../src/audit/seals/proof.ts';
import { createProver } from '../../src/audit/seals/prover.ts';
import { readSealsText } from '../../src/audit/seals/seals-file.ts';
import { accountDecider } from '../../src/commands/account/account.ts';
import type { AccountCommand } from '../../src/commands/account/state.ts';
import { CHAIN_START } from '../../src/events/chain.ts';
import { linkHash } from '../../src/events/index.ts';
import type { EventStore } from '../../src/events/store.ts';
import { each } from '../support/books.ts';
import { writeBooks } from '../support/copy-books.ts';
import { folderInSuite } from '../support/folder.ts';
import { NOW } from '../support/samples.ts';
import { openSealer, sealsIn, withStore } from '../support/sealed-books.ts';

const accountId = `acc_${'0'.padStart(32, '0')}`;
const otherId = `acc_${'1'.padStart(32, '0')}`;

interface Line extends Record<string, unknown> {
  type: string;
  revision: number;
  version: number;
  data: Record<string, unknown>;
}

const exported = async (store: EventStore, id: string): Promise<string[]> => {
  const proof = proofLine((await createProver(store).head(id))!.proof);
  return [proof, ...(await Array.fromAsync(exportLines(id, accountEvents(store, id))))];
};

describe('an auditor who is handed an export, the seals that he kept and the key', () => {
  const folder = folderInSuite();
  let keys: VerifierKey[];
  let seals: string;
  /** Under the first seal, under the second and last one, and with more after that. */
  let old: string[];
  let earlier: ExportProof;
  let good: string[];
  let later: string[];
  let others: string[];
  before(async () => {
    await withStore(folder.path, async (store) => {
      const { seal, key, writer } = await openSealer(store);
      const execute = (command: AccountCommand) =>
        writer.execute(accountDecider(accountId), accountId, command, {
          requestId: 'req_1',
          accountId,
        });
      const limit = (daily: number) => {
        const limits = { perMinute: null, daily, monthly: null, paused: false };
        return execute({ type: 'SetLimits', limits });
      };
      const grant = () =>
        execute({ type: 'GrantCredits', at: NOW, amount: 7, reason: null, by: null });
      await writeBooks(store, { accounts: 2, sends: 12 });
      await seal();
      old = await exported(store, accountId);
      earlier = (await createProver(store).head(accountId))!.proof;
      await limit(500);
      await grant();
      await seal();
      await seal();
      good = await exported(store, accountId);
      others = await exported(store, otherId);
      await grant();
      await limit(600);
      later = await exported(store, accountId);
      keys = [await key()];
    });
    seals = (await sealsIn(folder.path)).map(({ note }) => `${note}\n`).join('');
  });

  const verify = (lines: readonly string[], kept = seals) =>
    verifyExport(each(lines), undefined, { kept: readSealsText(kept), keys });
  const foundIn = async (lines: readonly string[], kept = seals) => {
    const { ok, problems } = await verify(lines, kept);
    expect(ok).to.equal(problems.length === 0);
    return problems.map(({ at, detail }) => `${at}: ${detail}`);
  };

  const demandOne = (all: readonly string[], found: RegExp) =>
    expect(
      all.some((one) => found.test(one)),
      all.join('\n'),
    ).to.equal(true);

  /** Changes one line. */
  const changed = (lines: readonly string[], at: number, change: (line: Line) => void) => {
    const line = JSON.parse(lines.at(at)!) as Line;
    change(line);
    return lines.with(at, JSON.stringify(line));
  };
  /** The last line of these events, as the forger makes it. */
  const ended = (lines: readonly string[], totals: object) =>
    changed(lines, -1, (line) => void Object.assign(line, totals));
  const parsed = (line: string | undefined) => JSON.parse(line!) as Line;
  const endOf = (lines: readonly string[]) =>
    parsed(lines.at(-1)) as unknown as {
      balance: number;
      events: number;
      movements: number;
      sequence: number;
      hash: string;
    };
  /** A grant at the end, with hashes and totals that fit. */
  const withGrant = (lines: readonly string[], amount: number) => {
    const events = lines.slice(1, -1).map(parsed);
    const last = events.at(-1)!;
    const grant = events.findLast(({ type }) => type === 'CreditsGranted')!;
    const end = endOf(lines);
    const revision = last.revision + 1;
    const [balance, sequence] = [end.balance + amount, end.sequence + 1];
    const entryId = `led_${accountId.slice(4)}_${revision.toString(36)}`;
    const data = { ...grant.data, amount, balanceAfter: balance, sequence, entryId };
    const hash = linkHash(end.hash, JSON.stringify(data));
    const position = String(Number(last.position) + 1).padStart(String(last.position).length, '0');
    const link = { previousHash: end.hash, hash };
    const line = { ...grant, revision, position, data, link };
    const counts = { events: end.events + 1, movements: end.movements + 1 };
    const totals = { ...counts, balance, sequence, hash: grant.data.hash };
    return ended([...lines.slice(0, -1), JSON.stringify(line), lines.at(-1)!], totals);
  };

  it('row 71: finds a good one in order, and every line proved', async () => {
    const { problems, uncovered } = await verify(good);
    expect(problems).to.deep.equal([]);
    expect(uncovered).to.deep.equal({ count: 0, lines: [] });
  });

  it('row 71: is told of all lines that are later than the seal', async () => {
    const { problems, uncovered } = await verify(later);
    expect(problems).to.deep.equal([]);
    const at = later.length - 2;
    const what = `movements after the seal of ${parsed(good[0]).size} entries`;
    expect(uncovered!.lines).to.deep.equal([
      { from: at, to: at, what },
      { from: at + 1, to: at + 1, what: 'LimitsSet' },
    ]);
    const forged = await verify(withGrant(good, 5_000_000));
    const line = good.length;
    expect(forged.uncovered!.lines.at(-1)).to.deep.equal({ from: line, to: line, what });
  });

  it('row 71: is told that no proof covers what the last line tells beside the events', async () => {
    const { problems, uncovered } = await verify(ended(good, { books: { account: {} } }));
    expect(problems).to.deep.equal([]);
    const what = 'names, issuers, values of credits and seals of statements';
    expect(uncovered!.lines.at(-1)).to.deep.equal({ from: good.length, to: good.length, what });
  });

  /** Where a line of a type is, from the first or the last on. */
  const at = (type: string) => good.findIndex((line) => parsed(line).type === type);
  const lastAt = (type: string) => good.findLastIndex((line) => parsed(line).type === type);

  const renamed = () =>
    changed(good, 1, ({ data }) => void Object.assign(data, { name: 'Mallory' }));

  // What a forger does to a good export, and what the auditor reads of it.
  const doctorings: readonly [what: string, make: () => readonly string[], found: RegExp][] = [
    [
      'an old export',
      () => old,
      /^the proof: it is under the seal of \d+ entries, and the seal of \d+ entries is kept: ask for an export of today$/,
    ],
    [
      'a forged grant behind the proof of an older seal',
      () => withGrant(old, 5_000_000),
      /^the proof: it is under the seal of \d+ entries, and the seal of \d+ entries is kept/,
    ],
    ['no last line', () => good.slice(0, -1), /: the export has no last line$/],
    [
      'dropped events at the end, and totals that fit',
      () => {
        const cut = good.slice(0, lastAt('CreditsGranted'));
        const { data, revision } = parsed(cut.findLast((line) => parsed(line).data?.entryId));
        const { sequence, balanceAfter: balance } = data;
        const { movements } = endOf(good);
        const hash = Buffer.from(String(data.hash), 'base64url').toString('hex');
        const totals = { events: cut.length - 1, movements: movements - 1, balance, sequence };
        expect(revision).to.be.above(0);
        return ended([...cut, good.at(-1)!], {
          ...totals,
          hash: String(data.hash).length === 64 ? data.hash : hash,
        });
      },
      /^the proof: the export has no link \d+$/,
    ],
    [
      'an opening of another name',
      renamed,
      /^line 2: AccountOpened is not what the seal of \d+ entries covers at entry \d+$/,
    ],
    [
      'an opening with a proof of its own making',
      () => {
        const records = [{ revision: 0, index: 0, path: [] }];
        return changed(renamed(), 0, (line) => void Object.assign(line, { records }));
      },
      /^line 2: AccountOpened is not what the seal of \d+ entries covers at entry 0$/,
    ],
    [
      'limits of another number',
      () => changed(good, at('LimitsSet'), ({ data }) => void Object.assign(data, { daily: 9 })),
      /^line \d+: LimitsSet is not what the seal of \d+ entries covers at entry \d+$/,
    ],
    [
      'no limits',
      () => good.toSpliced(at('LimitsSet'), 1),
      /^the proof: the export has no event of revision \d+$/,
    ],
    [
      'dropped events at the end, behind the proof of an earlier link',
      () => changed(good, 0, (line) => void Object.assign(line, { leaf: earlier.leaf })),
      /^the proof: the link is not the newest one of the account at that seal$/,
    ],
    [
      'the newest link of an older seal beside the newest seal',
      () => changed(good, 0, (line) => void Object.assign(line, { ...earlier, note: line.note })),
      /^the proof: the note of the newest links is of another seal$/,
    ],
    [
      'another account in the last line',
      () => ended(good, { accountId: otherId }),
      new RegExp(`^line \\d+: it is of ${otherId}, and the export of ${accountId}$`),
    ],
    [
      'another account in the last line of no totals',
      () => ended(good, { accountId: otherId, movements: 0, balance: 0, sequence: 0, hash: '' }),
      new RegExp(`^line \\d+: it is of ${otherId}, and the export of ${accountId}$`),
    ],
    [
      'a line of another account',
      () => good.toSpliced(4, 0, others[1]!),
      new RegExp(`^line 5: it is of ${otherId}, and the export of ${accountId}$`),
    ],
    [
      'a line of a stream that is no account',
      () => good.toSpliced(4, 0, good[3]!.replace('account-acc_', 'message-acc_')),
      /^line 5: \w+ is no event of a message$/,
    ],
    ['the events of another account', () => [good[0]!, ...others.slice(1)], /^line 2: it is of /],
    ...[1, 2, 3].map((version): (typeof doctorings)[number] => [
      `version ${version} of a charge`,
      () => changed(good, at('ChargeReserved'), (line) => void Object.assign(line, { version })),
      new RegExp(`: it says version ${version}, and its data have the form of version 5$`),
    ]),
    [
      'a later version',
      () => changed(good, at('CreditsGranted'), (line) => void Object.assign(line, { version: 3 })),
      /it says version 3, and its data have the form of version 2$/,
    ],
    [
      'no version',
      () => changed(good, 1, (line) => void Object.assign(line, { version: undefined })),
      /version undefined; this program knows 1 to 1$/,
    ],
    ...[
      ['amount', '"amount":', '"amount":5000000,"amount":'],
      ['a field of the line', '"revision":', '"revision":99,"revision":'],
      ['a field with a colon in its text', '"type":', '"type":"a:\\"b\\":","type":'],
    ].map(([what, from, to]): (typeof doctorings)[number] => [
      `a name that stands twice: ${what}`,
      () => good.with(at('CreditsGranted'), good[at('CreditsGranted')]!.replace(from!, to!)),
      /^line \d+: a name stands twice in the line$/,
    ]),
    [
      'a name that stands twice in the last line',
      () => good.with(-1, good.at(-1)!.replace('"balance":', '"balance":5000000,"balance":')),
      /^line \d+: a name stands twice in the line$/,
    ],
    ['a second proof', () => good.toSpliced(1, 0, old[0]!), /^line 2: the line is no event$/],
    [
      'a changed amount, with hashes that fit',
      () => {
        let previousHash = CHAIN_START;
        return good.map((line) => {
          const event = parsed(line);
          if (event.type !== 'CreditsGranted') return line;
          Object.assign(event.data, { amount: 99 });
          const hash = linkHash(previousHash, JSON.stringify(event.data));
          Object.assign(event, { link: { previousHash, hash } });
          previousHash = hash;
          return JSON.stringify(event);
        });
      },
      /does not follow the one before it|do not make/,
    ],
  ];
  for (const [what, make, found] of doctorings) {
    it(`row 71: finds ${what}`, async () => demandOne(await foundIn(make()), found));
  }

  it('row 71: takes an older seal where it asks for it by its size, and no other one', async () => {
    const ask = async (at: number) =>
      verifyExport(each(old), undefined, { kept: readSealsText(seals), keys, at });
    expect((await ask(earlier.size)).problems).to.deep.equal([]);
    const details = async (at: number) => (await ask(at)).problems.map(({ detail }) => detail);
    expect(await details(Number(parsed(good[0]).size))).to.match(/and you asked for the seal of/);
    expect(await details(3)).to.deep.equal(['no kept seal is of 3 entries']);
  });

  // What happens to the seals that the auditor kept.
  const middle = (text: string) => text.indexOf('\n\nwaybill/') + 2;
  /** Changes what follows the first note, or only the last one. */
  const replacedAfter = (text: string, pattern: RegExp, by: string, at = middle(text)) =>
    text.slice(0, at) + text.slice(at).replace(pattern, by);
  const lastOf = (text: string) => text.lastIndexOf('\n\nwaybill/') + 2;
  const damages: readonly [what: string, damage: (kept: string) => string, found: RegExp][] = [
    [
      'a note in the middle that lost a line',
      (kept) => replacedAfter(kept, /\n\d+\n/, '\n'),
      /^Note 2 of the seals is not a seal of Waybill$/,
    ],
    [
      'a note in the middle without its end',
      (kept) => `${kept.slice(0, middle(kept))}${kept.slice(middle(kept) + 100)}`,
      /^Note 2 of the seals is/,
    ],
    [
      'an empty line that is missing between two notes',
      (kept) => kept.replace(/\n\n(?=waybill\/)/, '\n'),
      /^Note 1 of the seals is damaged, or no seal: get the file from where it is kept$/,
    ],
    [
      'a note in the middle of another size',
      (kept) => replacedAfter(kept, /\n(\d+)\n/, '\n9$1\n'),
      /^kept seal of 9\d+ entries: no given key has signed it$/,
    ],
    [
      'another root for a size that is there twice',
      (kept) => replacedAfter(kept, /\n[\w+/]{43}=\n/, `\n${'A'.repeat(43)}=\n`, lastOf(kept)),
      /^kept seal of \d+ entries: the kept seals have another one of its size before it$/,
    ],
    [
      'notes that stand twice',
      (kept) => kept + kept,
      /^kept seal of \d+ entries: the kept seals have a larger one before it$/,
    ],
  ];
  for (const [what, damage, found] of damages) {
    it(`row 71: finds in the kept seals ${what}`, async () => {
      expect(damage(seals)).to.not.equal(seals);
      const all = await foundIn(good, damage(seals)).catch((error: Error) => [error.message]);
      demandOne(all, found);
    });
  }

  it('reads kept seals whose last note was cut at any place', () => {
    const { length } = readSealsText(seals);
    const start = lastOf(seals);
    for (let cut = start + seals.indexOf('\n') + 1; cut < seals.length - 2; cut += 1) {
      const found = readSealsText(seals.slice(0, cut)).length;
      expect(found, seals.slice(start, cut)).to.equal(length - 1);
    }
  });
});
