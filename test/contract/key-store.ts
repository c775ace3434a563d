import { expect } from 'chai';
import {
  createLiveKey,
  destroyEarlierVersions,
  type LiveKey,
  newKey,
  settleInstallationKey,
} from '../../src/keys/installation-key.ts';
import type { KeyRecord, KeyStore, SubjectRecord } from '../../src/keys/key-store.ts';
import { KEYS_MAX } from '../../src/keys/key-store.ts';
import { createWrapping } from '../../src/keys/wrapping.ts';
import { systemIds } from '../../src/shared/system.ts';
import { codeOf } from '../support/spec.ts';

/** One place of keys; each handle is what one process has. */
export interface KeyPlace {
  open(): Promise<KeyStore>;
}

const wrapping = createWrapping(Buffer.alloc(32, 3));
const NOVEMBER = '2026-11';
let count = 0;

/** An account that no other test has. */
export const freshAccount = (): string => {
  count += 1;
  return `account${process.pid}${count}`;
};

export const freshSubject = (accountId: string, id = '919812345678'): SubjectRecord => ({
  hash: wrapping.hashOf(accountId, id),
  ref: wrapping.newRefs(1)[0]!,
  accountId,
});

export const wrapFor = (month: string) => (ref: string) => wrapping.wrapNew({ ref, month });

const plain = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');

/** What every store of data keys promises. */
export const keyStoreContract = (name: string, place: () => Promise<KeyPlace>): void => {
  describe(`Data keys: ${name}`, () => {
    let open: () => Promise<KeyStore>;
    let store: KeyStore;
    let accountId: string;
    const handles: KeyStore[] = [];
    const ensure = async (subject: SubjectRecord, month = NOVEMBER, on = store) =>
      (await on.ensure([subject], month, wrapFor(month)))[0]!;
    const keyOf = async (ref: string, month = NOVEMBER, on = store) =>
      plain((await on.keys([{ ref, month }]))[0]?.wrapped);

    beforeEach(async () => {
      const there = await place();
      open = async () => {
        const handle = await there.open();
        handles.push(handle);
        return handle;
      };
      store = await open();
      accountId = freshAccount();
    });
    afterEach(async () => {
      for (const handle of handles.splice(0)) await handle.close();
    });

    it('makes a subject and its key, and keeps both', async () => {
      const subject = freshSubject(accountId);
      const made = await ensure(subject);
      expect(made.subject).to.include(subject);
      expect(made.key).to.include({ ref: subject.ref, month: NOVEMBER, accountId });
      const wrapped = plain(made.key.wrapped);
      expect(wrapped).to.have.length(2 * 65);
      await store.close();
      const again = await open();
      expect(await keyOf(subject.ref, NOVEMBER, again)).to.equal(wrapped);
      const [found] = await again.subjects([subject.hash]);
      expect(await again.subjectsOf([found!.ref, 'unknown'])).to.deep.equal([found]);
      expect({ ...found }).to.deep.equal(subject);
      const [key] = await again.keys([{ ref: subject.ref, month: NOVEMBER }]);
      expect(key).to.include({ ref: subject.ref, month: NOVEMBER, accountId });
    });

    it('keeps the ref and the key of a subject that is there, and wraps none', async () => {
      const first = await ensure(freshSubject(accountId));
      const [again] = await store.ensure([freshSubject(accountId)], NOVEMBER, () =>
        expect.fail('a key was made'),
      );
      expect({ ...again!.subject }).to.deep.equal({ ...first.subject });
      expect(plain(again!.key.wrapped)).to.equal(plain(first.key.wrapped));
    });

    it('makes many at once, in their order, beside those that are there', async () => {
      const there = await ensure(freshSubject(accountId, '7'));
      const old = await ensure(freshSubject(accountId, '8'), '2026-10');
      const asked = Array.from({ length: KEYS_MAX }, (_, id) => freshSubject(accountId, `${id}`));
      const rival = (await open()).ensure(
        asked.slice(0, 500).reverse(),
        NOVEMBER,
        wrapFor(NOVEMBER),
      );
      const made = await store.ensure(asked, NOVEMBER, wrapFor(NOVEMBER));
      expect(made.map(({ subject }) => subject.hash)).to.deep.equal(asked.map(({ hash }) => hash));
      const text = ({ ref, wrapped }: KeyRecord) => `${ref} ${plain(wrapped)}`;
      const names = made.map(({ subject: { ref } }) => ({ ref, month: NOVEMBER }));
      const held = new Set((await store.keys(names)).map(text));
      expect(new Set(made.map(({ key }) => text(key)))).to.deep.equal(held);
      expect(new Set((await rival).map(({ key }) => text(key))).difference(held).size).to.equal(0);
      expect(text(made[7]!.key)).to.equal(text(there.key));
      expect(made[8]!.subject.ref).to.equal(old.subject.ref);
      expect(await store.ensure([], NOVEMBER, wrapFor(NOVEMBER))).to.deep.equal([]);
    });

    it('makes a key for each month, under the ref that is there', async () => {
      const { subject } = await ensure(freshSubject(accountId));
      const december = await ensure(freshSubject(accountId), '2026-12');
      expect(december.key).to.include({ ref: subject.ref, month: '2026-12' });
      const names = [NOVEMBER, '2026-12', '2027-01'].map((month) => ({ ref: subject.ref, month }));
      const found = await store.keys(names);
      expect(found.map(({ month }) => month).sort()).to.deep.equal([NOVEMBER, '2026-12']);
      expect(await keyOf(subject.ref, '2026-12')).to.equal(plain(december.key.wrapped));
    });

    it('gives rivals the same ref and the same key', async () => {
      const rivals = [store, await open(), await open()];
      const subjects = Array.from({ length: 8 }, (_, id) => String(id));
      const all = await Promise.all(
        subjects.flatMap((id) =>
          ['2026-12', NOVEMBER].flatMap((month) =>
            rivals.flatMap((on) =>
              [1, 2].map(() => ensure(freshSubject(accountId, id), month, on)),
            ),
          ),
        ),
      );
      const refs = new Set(all.map(({ subject }) => subject.ref));
      expect(refs.size).to.equal(subjects.length);
      const keys = new Set(all.map(({ key }) => `${key.ref} ${key.month} ${plain(key.wrapped)}`));
      expect(keys.size).to.equal(2 * subjects.length);
      for (const { subject, key } of all) expect(key.ref).to.equal(subject.ref);
    });

    it('finds nothing where nothing is, and takes as many names as it says', async () => {
      const { subject } = await ensure(freshSubject(accountId));
      const others = Array.from({ length: KEYS_MAX - 1 }, (_, at) =>
        freshSubject(accountId, `x${at}`),
      );
      const hashes = [...others.map(({ hash }) => hash), subject.hash];
      expect(await store.subjects(hashes)).to.have.length(1);
      const names = [...others, subject].map(({ ref }) => ({ ref, month: NOVEMBER }));
      expect(await store.keys(names)).to.have.length(1);
      expect(await store.keys([])).to.deep.equal([]);
      expect(await store.subjects([])).to.deep.equal([]);
    });

    it('destroys subjects with all their keys, tells how many, and no others', async () => {
      const { subject } = await ensure(freshSubject(accountId, '1'));
      await ensure(freshSubject(accountId, '1'), '2026-12');
      const { subject: second } = await ensure(freshSubject(accountId, '2'));
      const { subject: kept, key } = await ensure(freshSubject(accountId, '3'));
      const other = await open();
      expect(await store.destroySubjects([subject.ref, second.ref, 'unknown'])).to.equal(3);
      for (const on of [store, other]) {
        const gone = [subject, second];
        expect(await on.subjects(gone.map(({ hash }) => hash))).to.deep.equal([]);
        expect(await on.subjectsOf(gone.map(({ ref }) => ref))).to.deep.equal([]);
        expect(await keyOf(subject.ref, NOVEMBER, on)).to.equal(undefined);
        expect(await keyOf(subject.ref, '2026-12', on)).to.equal(undefined);
        expect(await keyOf(kept.ref, NOVEMBER, on)).to.equal(plain(key.wrapped));
      }
      expect(await store.destroySubjects([subject.ref])).to.equal(0);
      expect(await store.destroySubjects([])).to.equal(0);
    });

    it('makes a destroyed subject anew, under a new ref and a new key', async () => {
      const first = await ensure(freshSubject(accountId));
      await store.destroySubjects([first.subject.ref]);
      const fresh = freshSubject(accountId);
      const anew = await ensure(fresh);
      expect(anew.subject.ref).to.equal(fresh.ref);
      expect(plain(anew.key.wrapped)).to.not.equal(plain(first.key.wrapped));
      expect(await keyOf(first.subject.ref)).to.equal(undefined);
    });

    it('never revives a subject that is destroyed while a key is made for it', async () => {
      const first = await ensure(freshSubject(accountId));
      const other = await open();
      const rival: SubjectRecord[] = [];
      let destroying: Promise<unknown> | undefined;
      const [held] = await store.ensure([freshSubject(accountId)], '2026-12', (ref) => {
        if (ref === first.subject.ref) {
          destroying ??= other.destroySubjects([ref]).then(async () => {
            rival.push((await ensure(freshSubject(accountId), NOVEMBER, other)).subject);
          });
        }
        return wrapping.wrapNew({ ref, month: '2026-12' });
      });
      await destroying;
      expect(destroying).to.not.equal(undefined);
      expect(await keyOf(first.subject.ref, '2026-12')).to.equal(undefined);
      expect(await keyOf(first.subject.ref, NOVEMBER)).to.equal(undefined);
      const [now] = await store.subjects([held!.subject.hash]);
      expect(await store.subjectsOf([now!.ref])).to.deep.equal([now]);
      expect(now?.ref).to.equal(rival[0]?.ref);
      expect(now?.ref).to.not.equal(first.subject.ref);
    });

    it('holds at most one ref of an id while rivals make and destroy it', async () => {
      const rivals = [store, await open()];
      const destroyed = new Set<string>();
      await Promise.all(
        rivals.map(async (on, index) => {
          for (let round = 0; round < 20; round += 1) {
            const month = round % 2 === 0 ? NOVEMBER : '2026-12';
            const { subject, key } = await ensure(freshSubject(accountId), month, on);
            expect(key.ref).to.equal(subject.ref);
            if ((round + index) % 3 !== 0) continue;
            await on.destroySubjects([subject.ref]);
            destroyed.add(subject.ref);
          }
        }),
      );
      const names = [...destroyed].flatMap((ref) =>
        [NOVEMBER, '2026-12'].map((month) => ({ ref, month })),
      );
      expect(names).to.not.have.length(0);
      expect(await store.keys(names)).to.deep.equal([]);
      const { subject } = await ensure(freshSubject(accountId));
      expect(destroyed.has(subject.ref)).to.equal(false);
    });

    it('destroys the keys of an account up to a month, that month included', async () => {
      const months = ['2025-12', '2026-10', NOVEMBER, '2026-12'];
      for (const month of months) await ensure(freshSubject(accountId), month);
      const neighbour = freshAccount();
      const ofOther = await ensure(freshSubject(neighbour), '2025-12');
      const { subject } = await ensure(freshSubject(accountId));
      expect(await store.destroyMonths(accountId, NOVEMBER)).to.equal(3);
      const names = months.map((month) => ({ ref: subject.ref, month }));
      const left = await store.keys(names);
      expect(left.map(({ month }) => month)).to.deep.equal(['2026-12']);
      expect(await keyOf(ofOther.subject.ref, '2025-12')).to.equal(plain(ofOther.key.wrapped));
      expect(await store.destroyMonths(accountId, NOVEMBER)).to.equal(0);
      const again = await ensure(freshSubject(accountId), '2026-12');
      expect(again.subject.ref).to.equal(subject.ref);
    });

    it('destroys the months of more subjects than one batch has', async () => {
      // Stores take 500 at a time.
      const ids = Array.from({ length: 501 }, (_, id) => String(id));
      await Promise.all(ids.map((id) => ensure(freshSubject(accountId, id))));
      expect(await store.destroyMonths(accountId, NOVEMBER)).to.equal(ids.length);
    });

    it('remembers how far it has applied the destructions of the log', async () => {
      const before = await store.applied();
      expect(before).to.be.at.least(-1);
      await store.setApplied(before + 7);
      await store.setApplied(before + 3);
      expect(await store.applied()).to.equal(before + 7);
      await store.close();
      expect(await (await open()).applied()).to.equal(before + 7);
    });

    it('keeps the key of the installation, which another secret takes over', async () => {
      const [old, present, foreign] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [
        Buffer,
        Buffer,
        Buffer,
      ];
      const custodyOf = (secrets: Buffer[], on = store) => ({ keys: on, secrets, ids: systemIds });
      const settle = (secrets: Buffer[], on = store, isLost = false) =>
        settleInstallationKey(custodyOf(secrets, on), { make: newKey, isLost });
      const keyUnder = async (...secrets: Buffer[]) =>
        (await settle(secrets)).map(({ key }) => plain(key));

      // Rivals get the same; where an earlier test has left a key, this one replaces it.
      const rival = await open();
      await settle([old], store, true);
      const [made] = await keyUnder(old);
      const [[here], [there]] = await Promise.all([settle([old]), settle([old], rival)]);
      expect([plain(here!.key), plain(there!.key)]).to.deep.equal([made, made]);

      expect(await codeOf(settle([present]))).to.equal('LockedKey');
      expect(await keyUnder(present, old)).to.deep.equal([made]);
      // Until the log names the new secret, a start with the old one finds the old copy.
      expect(await keyUnder(old)).to.deep.equal([made]);
      expect(await keyUnder(present)).to.deep.equal([made]);
      await destroyEarlierVersions(custodyOf([present]));
      expect(await codeOf(settle([old]))).to.equal('LockedKey');
      expect(await codeOf(settle([foreign, old]))).to.equal('LockedKey');

      const clock = { now: () => 1_000 };
      const [one, other] = [store, rival].map((on) =>
        createLiveKey(custodyOf([present], on), clock, 500),
      ) as [LiveKey, LiveKey];
      expect(() => one.first()).to.throw('not read yet');
      for (const live of [one, other]) live.set(await settle([present]));
      const { name, from } = await one.extend();
      expect(name, 'of this one alone').to.match(/^v2-[0-9a-f]{8}$/);
      expect(from).to.equal(1_500);
      expect(one.newest().name).to.equal('v1');
      expect(() => other.named(name)).to.throw('not read yet');
      await other.refresh();
      clock.now = () => 1_500;
      expect([one, other].map((live) => live.newest().name)).to.deep.equal([name, name]);
      expect(plain(other.named(name).key)).to.equal(plain(one.named(name).key));
      expect(plain(other.first())).to.equal(made);
    });

    it('cleans its files, and tells that it is well', async () => {
      await ensure(freshSubject(accountId));
      await store.clean();
      expect(await store.health()).to.deep.equal({ ok: true });
      expect(await store.subjects([freshSubject(accountId).hash])).to.have.length(1);
    });
  });
};
