import { expect } from 'chai';
import fc from 'fast-check';
import type { DataSubject } from '../../src/events/personal.ts';
import { StoreUnavailable } from '../../src/events/store.ts';
import { createDataSubjects } from '../../src/keys/data-subjects.ts';
import { type KeyStore, KeysUnavailable } from '../../src/keys/key-store.ts';
import { createWrapping } from '../../src/keys/wrapping.ts';
import { createTurns } from '../support/interleaving.ts';
import { createMemoryKeys } from '../support/key-store.ts';
import { gate } from '../support/projections-engine.ts';
import { until } from '../support/until.ts';

const wrapping = createWrapping(Buffer.alloc(32, 7));
const NOVEMBER = Date.UTC(2026, 10, 30, 23, 59, 59, 999);

type Deps = Parameters<typeof createDataSubjects>[0];
const open = (turn?: () => Promise<void>, options: Partial<Deps> = {}) => {
  const memory = createMemoryKeys();
  const time = { now: NOVEMBER };
  /** What another process has. */
  const make = (change: Partial<Deps> = {}) => {
    const clock = { now: () => time.now };
    return createDataSubjects({ keys: memory.open(turn), wrapping, clock, ...options, ...change });
  };
  const subjects = make();
  /** The subjects of so many ids of one account, made one after the other. */
  const makeMany = async (count: number) => {
    const all: DataSubject[] = [];
    for (let id = 0; id < count; id += 1) all.push(await subjects.of('a', String(id)));
    return all;
  };
  return { memory, store: memory.open(), clock: time, make, makeMany, subjects };
};
const failureOf = (asked: unknown) => Promise.resolve(asked).catch((thrown: unknown) => thrown);

describe('the subjects of contacts', () => {
  it('creates a subject once, and then gives it without a promise', async () => {
    const { memory, subjects } = open();
    const first = subjects.of('a', '1');
    expect(first).to.be.instanceOf(Promise);
    const subject = await first;
    expect(subject.month).to.equal('2026-11');
    expect(subject.key).to.have.length(32);
    expect(subjects.of('a', '1')).to.equal(subject);
    expect(await subjects.refOf('a', '1')).to.equal(subject.ref);
    expect(memory.calls()).to.equal(1);
  });

  it('gives each id of each account its own ref and key', async () => {
    const { subjects } = open();
    const asked = ['a,1', 'a,2', 'b,1', 'a 1,', ',dead-letters'].map((pair) => pair.split(','));
    const all = await Promise.all(asked.map(([account, id]) => subjects.of(account!, id!)));
    const keys = all.map(({ key }) => Buffer.from(key).toString('hex'));
    expect(new Set(all.map(({ ref }) => ref)).size).to.equal(asked.length);
    expect(new Set(keys).size).to.equal(asked.length);
  });

  it('gives many at once in their order, and keeps those in memory that were there', async () => {
    const { memory, make, subjects } = open();
    const known = await subjects.of('a', '2');
    const ids = Array.from({ length: 100 }, (_, id) => String(id));
    const before = memory.calls();
    const all = await subjects.ofAll('a', ids);
    expect(memory.calls()).to.equal(before + 1);
    expect(all[2]).to.equal(known);
    const others = make();
    for (const [at, id] of ids.entries()) {
      expect(await others.of('a', id), id).to.deep.equal(all[at]);
    }
    expect(subjects.known('a', '2')).to.equal(known);
    expect(subjects.known('a', '3')).to.equal(undefined);
    expect(await subjects.ofAll('a', [])).to.deep.equal([]);
  });

  it('gives none of many that is erased while they are made', async () => {
    let turns = 0;
    const { subjects, store } = open(async () => {
      turns += 1;
      // It is there before the first call of the store, and gone after it.
      if (turns === 1) await store.ensure([gone], '2026-11', wrap);
      if (turns !== 2) return;
      subjects.ring.forget([gone.ref]);
      await store.destroySubjects([gone.ref]);
    });
    const gone = { hash: subjects.hashOf('a', '1'), ref: 'gone', accountId: 'a' };
    const wrap = (ref: string) => wrapping.wrapNew({ ref, month: '2026-11' });
    const all = await subjects.ofAll('a', ['1', '2']);
    expect(turns).to.equal(4);
    const refs = all.map(({ ref }) => ref);
    expect(refs).to.not.include(gone.ref);
    expect(await store.subjectsOf(refs)).to.have.length(2);
  });

  it('keeps a ref over months, and makes a new key at the start of a month in UTC', async () => {
    const { clock, subjects } = open();
    const november = await subjects.of('a', '1');
    clock.now = NOVEMBER + 1;
    const asked = subjects.of('a', '1');
    expect(asked).to.be.instanceOf(Promise);
    const december = await asked;
    expect(december).to.include({ ref: november.ref, month: '2026-12' });
    expect(december.key).to.not.deep.equal(november.key);
    expect(subjects.ring.find(november.ref, '2026-11')).to.deep.equal(november.key);
    expect(subjects.ring.find(december.ref, '2026-12')).to.deep.equal(december.key);
  });

  it('gives a second process the same ref and key', async () => {
    const { make, subjects } = open();
    const subject = await subjects.of('a', '1');
    expect(await make().of('a', '1')).to.deep.equal(subject);
    expect(await make().refOf('a', '1')).to.equal(subject.ref);
  });

  it('gives the subject of a known ref, with the key of each month', async () => {
    const { clock, make, memory, subjects } = open();
    const november = await subjects.of('a', '1');
    expect(subjects.ofRef(november.ref)).to.equal(subjects.of('a', '1'));
    const other = make();
    expect(await other.ofRef(november.ref)).to.deep.equal(november);
    clock.now = NOVEMBER + 1;
    const december = await other.ofRef(november.ref);
    expect(december).to.include({ ref: november.ref, month: '2026-12' });
    const calls = memory.calls();
    expect(other.ofRef(november.ref)).to.deep.equal(december);
    expect(memory.calls()).to.equal(calls);
    expect(await subjects.of('a', '1')).to.deep.equal(december);
  });

  it('gives no subject of a ref that is destroyed or unknown', async () => {
    const { make, store, subjects } = open();
    const { ref } = await subjects.of('a', '1');
    expect(await make().ofRef('unknown')).to.equal(undefined);
    await store.destroySubjects([ref]);
    expect(await make().ofRef(ref)).to.equal(undefined);
    subjects.ring.forget([ref]);
    expect(await subjects.ofRef(ref)).to.equal(undefined);
    expect(await store.subjectsOf([ref])).to.deep.equal([]);
  });

  it('creates nothing when it is asked for a ref', async () => {
    const { subjects, store } = open();
    expect(await subjects.refOf('a', '1')).to.equal(undefined);
    expect(await store.subjects([subjects.hashOf('a', '1')])).to.deep.equal([]);
  });

  it('asks the store once for concurrent first uses of one id', async () => {
    const { memory, subjects } = open();
    const all = await Promise.all(Array.from({ length: 20 }, () => subjects.of('a', '1')));
    expect(new Set(all).size).to.equal(1);
    expect(memory.calls()).to.equal(1);
  });

  it('refuses more first uses at once than its bound, and goes on afterwards', async () => {
    const held = gate();
    held.close();
    const { subjects } = open(held.pass, { ensuresMax: 2 });
    const two = [subjects.of('a', '1'), subjects.of('a', '2')];
    const error = await failureOf(subjects.of('a', '3'));
    expect(error).to.be.instanceOf(KeysUnavailable).and.instanceOf(StoreUnavailable);
    held.open();
    await Promise.all(two);
    expect(await subjects.of('a', '3')).to.include({ month: '2026-11' });
  });

  it('asks again after a failure of the store', async () => {
    let failures = 1;
    const { subjects } = open(async () => {
      failures -= 1;
      if (failures >= 0) throw new KeysUnavailable('away');
    });
    expect(await failureOf(subjects.of('a', '1'))).to.be.instanceOf(KeysUnavailable);
    expect(await subjects.of('a', '1')).to.include({ month: '2026-11' });
  });

  it('begins anew after an erasure: another ref, another key', async () => {
    const { store, subjects } = open();
    const erased = await subjects.of('a', '1');
    expect(await store.destroySubjects([erased.ref])).to.equal(1);
    subjects.ring.forget([erased.ref]);
    expect(await subjects.refOf('a', '1')).to.equal(undefined);
    const anew = await subjects.of('a', '1');
    expect(anew.ref).to.not.equal(erased.ref);
    expect(subjects.ring.find(erased.ref, erased.month)).to.equal(undefined);
  });

  it('looks in the store whether refs are held, and forgets those that are not', async () => {
    const { store, make, subjects } = open();
    const stale = make();
    const [gone, stays] = [await subjects.of('a', '1'), await subjects.of('a', '2')];
    await Promise.all(['1', '2'].map((id) => stale.of('a', id)));
    expect(await stale.areHeld([gone.ref, stays.ref])).to.equal(true);
    await store.destroySubjects([gone.ref]);
    expect(await stale.areHeld([gone.ref, stays.ref])).to.equal(false);
    expect((await stale.of('a', '1')).ref).to.not.equal(gone.ref);
    expect(stale.of('a', '2')).to.deep.equal(stays);
  });

  it('begins anew where the earlier secret is lost', async () => {
    const { clock, make, subjects } = open();
    const earlier = await subjects.of('a', '1');
    const lost = make({ wrapping: createWrapping(Buffer.alloc(32, 8)) });
    expect(await lost.ofRef(earlier.ref)).to.equal(undefined);
    await lost.ring.load([earlier]);
    expect(lost.ring.find(earlier.ref, earlier.month)).to.equal(undefined);
    expect((await lost.of('a', '1')).ref).to.not.equal(earlier.ref);
    clock.now = NOVEMBER + 1;
    expect(await lost.ofRef(earlier.ref)).to.include({ ref: earlier.ref, month: '2026-12' });
  });

  it('holds a bounded number of keys, and finds the others in the store again', async () => {
    const { make, makeMany, subjects } = open(undefined, { cachedKeysMax: 10 });
    const all = await makeMany(30);
    const inMemory = all.filter(({ ref, month }) => subjects.ring.find(ref, month));
    expect(inMemory).to.have.length(10);
    expect(subjects.of('a', '0')).to.be.instanceOf(Promise);
    expect(await subjects.of('a', '0')).to.deep.equal(all[0]);
    expect(await make().of('a', '29')).to.deep.equal(all[29]);
  });
});

describe('the ring of data keys', () => {
  it('loads many keys in few calls, those in memory not again, and finds no destroyed one', async () => {
    const { memory, make, makeMany, store } = open();
    const all = await makeMany(1_001);
    await store.destroySubjects([all[5]!.ref]);
    const { ring } = make();
    const before = memory.calls();
    await ring.load([...all, ...all]);
    expect(memory.calls() - before).to.equal(2);
    for (const [index, { ref, month, key }] of all.entries()) {
      expect(ring.find(ref, month)).to.deep.equal(index === 5 ? undefined : key);
    }
    await ring.load(all.filter((_, index) => index !== 5));
    expect(memory.calls() - before).to.equal(2);
  });

  it('forgets the keys of an account up to a month, that month included, and no others', async () => {
    const { clock, subjects } = open();
    const { ring } = subjects;
    const november = await subjects.of('a', '1');
    const ofOther = await subjects.of('b', '1');
    await subjects.of('a', 'only in November');
    clock.now = NOVEMBER + 1;
    const december = await subjects.of('a', '1');
    ring.forgetMonths('a', '2026-11');
    expect(ring.find(november.ref, '2026-11')).to.equal(undefined);
    expect(ring.find(december.ref, '2026-12')).to.deep.equal(december.key);
    expect(ring.find(ofOther.ref, '2026-11')).to.deep.equal(ofOther.key);
    expect(subjects.of('a', '1')).to.equal(december);
  });

  it('loads no key again that it was told to forget, even from a store that is behind', async () => {
    const { make, subjects } = open();
    const one = await subjects.of('a', '1');
    const two = await subjects.of('b', '2');
    const { ring } = make();
    ring.forget([one.ref]);
    ring.forgetMonths('b', '2026-11');
    await ring.load([one, two]);
    expect(ring.find(one.ref, one.month)).to.equal(undefined);
    expect(ring.find(two.ref, two.month)).to.equal(undefined);
  });

  it('reads all keys from the store again once it was told to forget all', async () => {
    const { make, store, subjects } = open();
    const [gone, stays] = [await subjects.of('a', '1'), await subjects.of('a', '2')];
    const stale = make();
    for (const id of ['1', '2']) await stale.of('a', id);
    await store.destroySubjects([gone.ref]);
    expect(stale.known('a', '1')).to.deep.equal(gone);
    await stale.ring.clear();
    expect(stale.ring.find(gone.ref, gone.month)).to.equal(undefined);
    await stale.ring.load([gone, stays]);
    expect(stale.ring.find(gone.ref, gone.month)).to.equal(undefined);
    expect(stale.ring.find(stays.ref, stays.month)).to.deep.equal(stays.key);
    expect((await stale.of('a', '1')).ref).to.not.equal(gone.ref);
    expect(await stale.of('a', '2')).to.deep.equal(stays);
  });

  it('keeps nothing that was read before it was told to forget all, and loads it again', async () => {
    const door = gate();
    const { make, store, subjects } = open();
    const [gone, stays] = [await subjects.of('a', '1'), await subjects.of('a', '2')];
    const slowly =
      <Args extends readonly unknown[], T>(read: (...args: Args) => Promise<T>) =>
      async (...args: Args): Promise<T> => {
        const found = await read(...args);
        await door.pass();
        return found;
      };
    const reads = { keys: slowly(store.keys), subjects: slowly(store.subjects) };
    const late = make({ keys: { ...store, ...reads, ensure: slowly(store.ensure) } });
    door.close();
    const loading = late.ring.load([gone, stays]);
    const asking = [late.of('a', '1'), late.refOf('a', '1')];
    await until('all have read', () => door.held() === 3);
    await store.destroySubjects([gone.ref]);
    await late.ring.clear();
    door.open();
    await Promise.all([loading, ...asking]);
    expect(late.ring.find(gone.ref, gone.month)).to.equal(undefined);
    expect(late.ring.find(stays.ref, stays.month)).to.deep.equal(stays.key);
    expect(late.known('a', '1')).to.equal(undefined);
    expect(await late.refOf('a', '1')).to.equal(undefined);
  });

  it('says that keys are unavailable when it is told again and again', async () => {
    const { make, store, subjects } = open();
    const one = await subjects.of('a', '1');
    const keys: KeyStore['keys'] = async (names) => {
      await restless.ring.clear();
      return store.keys(names);
    };
    const restless = make({ keys: { ...store, keys } });
    expect(await failureOf(restless.ring.load([one]))).to.be.instanceOf(KeysUnavailable);
  });

  it('puts back nothing that is forgotten while a load or a first use is under way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        fc.array(fc.constantFrom('of', 'of', 'load', 'erase', 'expire', 'refOf', 'nextMonth'), {
          minLength: 4,
          maxLength: 24,
        }),
        async (chance, steps) => {
          const turns = createTurns(() => chance.next().value);
          const { make, store, clock, subjects } = open(turns.take);
          const rings = [subjects.ring, make().ring];
          const seen: DataSubject[] = [];
          const gone = new Set<string>();
          let expired = '';
          const under: Promise<unknown>[] = [];
          const isGone = ({ ref, month }: DataSubject) => gone.has(ref) || month <= expired;
          for (const step of steps) {
            if (step === 'of') {
              under.push(
                Promise.resolve(subjects.of('a', '1')).then((subject) => {
                  expect(gone.has(subject.ref), 'a destroyed subject is given').to.equal(false);
                  seen.push(subject);
                }),
              );
            } else if (step === 'refOf')
              under.push(
                subjects.refOf('a', '1').then((ref = '') => {
                  expect(gone.has(ref), 'a destroyed ref is given').to.equal(false);
                }),
              );
            else if (step === 'load') under.push(...rings.map((ring) => ring.load(seen)));
            else if (step === 'nextMonth') clock.now = Math.min(clock.now + 1, NOVEMBER + 1);
            else if (step === 'expire' && clock.now > NOVEMBER) {
              expired = '2026-11';
              await store.destroyMonths('a', expired);
              for (const ring of rings) ring.forgetMonths('a', expired);
            } else if (step === 'erase') {
              const [found] = await store.subjects([subjects.hashOf('a', '1')]);
              if (found) {
                await store.destroySubjects([found.ref]);
                gone.add(found.ref);
                for (const ring of rings) ring.forget([found.ref]);
              }
            }
            await turns.some(Math.floor(3 * chance.next().value));
          }
          await turns.all();
          await Promise.all(under);
          for (const { ref, month } of seen.filter(isGone)) {
            for (const ring of rings) {
              expect(ring.find(ref, month), 'a destroyed key is in memory').to.equal(undefined);
            }
          }
          const asked = subjects.of('a', '1');
          await turns.all();
          const now = await asked;
          const [stored] = await store.subjects([subjects.hashOf('a', '1')]);
          expect(now.ref, 'a destroyed subject is in memory').to.equal(stored?.ref);
          expect(gone.has(now.ref)).to.equal(false);
        },
      ),
      { numRuns: 500, seed: 22 },
    );
  });
});
