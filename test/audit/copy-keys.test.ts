import { expect } from 'chai';
import { copyKeys } from '../../src/audit/copy-log.ts';
import { openSqliteKeys } from '../../src/keys/sqlite/keys.ts';
import { openKeySource } from '../../src/keys/sqlite/source.ts';
import { folderInSuite } from '../support/folder.ts';
import { createMemoryKeys } from '../support/key-store.ts';
import { messageOf } from '../support/spec.ts';

const SUBJECTS = 300;
const MONTHS = ['2026-10', '2026-11'];
const subjectOf = (index: number) => ({ hash: `h${index}`, ref: `r${index}`, accountId: 'acc_1' });

describe('a copy of data keys to a server', () => {
  const folder = folderInSuite();
  const directory = folder.path;
  before(async () => {
    const keys = await openSqliteKeys({ directory });
    for (let index = 0; index < SUBJECTS; index += 1) {
      for (const month of MONTHS) {
        await keys.ensure([subjectOf(index)], month, (ref) => Buffer.from(`${ref} ${month}`));
      }
    }
    await keys.destroySubjects(['r7']);
    await keys.setApplied(4);
    await keys.close();
  });

  const copy = async (target: ReturnType<ReturnType<typeof createMemoryKeys>['open']>) => {
    const source = openKeySource(directory)!;
    let progress = 0;
    try {
      const copied = await copyKeys(source, target, (done) => {
        progress = done;
      });
      expect([source.keys, progress]).to.deep.equal([copied, copied]);
      return copied;
    } finally {
      source.close();
    }
  };

  it('has every key and subject, and how far destructions are applied', async () => {
    const target = createMemoryKeys().open();
    expect(await copy(target)).to.equal((SUBJECTS - 1) * MONTHS.length);
    for (const index of [0, 7, SUBJECTS - 1]) {
      const { hash, ref } = subjectOf(index);
      const found = await target.keys(MONTHS.map((month) => ({ ref, month })));
      const texts = found.map(({ wrapped }) => Buffer.from(wrapped).toString());
      const isThere = index !== 7;
      expect(texts).to.have.members(isThere ? MONTHS.map((month) => `${ref} ${month}`) : []);
      expect(await target.subjects([hash])).to.deep.equal(isThere ? [subjectOf(index)] : []);
    }
    expect(await target.applied()).to.equal(4);
  });

  it('goes on after an interruption', async () => {
    let calls = 0;
    const keys = createMemoryKeys();
    const failing = keys.open(async () => {
      calls += 1;
      if (calls === 200) throw new Error('gone');
    });
    expect(await messageOf(copy(failing))).to.equal('gone');
    expect(await copy(keys.open())).to.equal((SUBJECTS - 1) * MONTHS.length);
  });

  it('is refused where the destination has other keys', async () => {
    const others = [
      { subject: { ...subjectOf(3), ref: 'other' }, month: '2026-09' },
      { subject: subjectOf(3), month: MONTHS[0]! },
    ];
    for (const { subject, month } of others) {
      const target = createMemoryKeys().open();
      await target.ensure([subject], month, () => Uint8Array.of(9));
      expect(await messageOf(copy(target))).to.match(/holds others: use an empty database/);
    }
  });

  it('has nothing to copy from a directory without keys', () => {
    expect(openKeySource(`${directory}/none`)).to.equal(undefined);
  });
});
