import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { type KeyStore, KeysUnavailable } from '../../../src/keys/key-store.ts';
import type { Row } from '../../../src/keys/mongodb/keys.ts';
import { keysOver } from '../../../src/keys/mongodb/keys.ts';
import { openConnection } from '../../../src/projections/mongodb/connection.ts';
import { pause } from '../../../src/shared/timing.ts';
import { freshSubject, wrapFor } from '../../contract/key-store.ts';
import { outcomeOf } from '../../contract/store-events.ts';
import { createTurns } from '../../support/interleaving.ts';
import { createFakeMongo } from '../../support/mongodb/fake.ts';
import { found, PATIENCE_MS } from '../../support/mongodb/views.ts';
import { type Answer, type Command, openWire } from '../../support/mongodb/wire.ts';
import { useRealConnections } from '../../support/network.ts';
import { gate } from '../../support/projections-engine.ts';
import { until } from '../../support/until.ts';

const NOVEMBER = '2026-11';
const ROWS = 'keys.subjects';
const WRITE_CONCERN = { w: 'majority', j: true, wtimeout: 15_000 };
const TAKEN = { ok: 1, n: 0, writeErrors: [{ index: 0, code: 11_000, errmsg: 'E11000' }] };

describe('the data keys in MongoDB, and the driver', () => {
  useRealConnections();
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });

  const open = async (answer: (name: string, command: Command) => Answer = () => undefined) => {
    const wire = await openWire(answer);
    opened.push(wire);
    const url = `mongodb://127.0.0.1:${wire.port}/?serverSelectionTimeoutMS=${PATIENCE_MS}`;
    const store = keysOver(await openConnection(url));
    opened.push(store);
    const sent = (name: string) =>
      wire.commands.filter((one) => one.name === name).map(({ command }) => command);
    return { store, wire, sent };
  };
  const ensure = async (store: KeyStore, month = NOVEMBER) =>
    (await store.ensure([freshSubject('a')], month, wrapFor(month)))[0]!;

  it('inserts a new subject with its key, and reads what most of the servers have', async () => {
    const { store, wire, sent } = await open();
    const { subject, key } = await ensure(store);
    const said = wire.commands.map(({ name, command }) => `${name} ${command[name]}`);
    expect(said).to.deep.equal([`createIndexes ${ROWS}`, `find ${ROWS}`, `insert ${ROWS}`]);
    expect(sent('find')[0]?.readConcern).to.deep.equal({ level: 'majority' });
    const [insert] = sent('insert');
    expect(insert?.writeConcern).to.deep.equal(WRITE_CONCERN);
    const { hash: _id, ref, accountId } = subject;
    const keys = { [NOVEMBER]: Buffer.from(key.wrapped).toString('base64') };
    expect(insert?.documents).to.deep.equal([{ _id, ref, accountId, keys }]);
    const indexes = sent('createIndexes')[0]?.indexes as { key: object; unique?: boolean }[];
    expect(indexes.map(({ key: fields, unique }) => [fields, unique])).to.deep.equal([
      [{ ref: 1 }, true],
      [{ accountId: 1, _id: 1 }, undefined],
    ]);
  });

  it('adds a month to the ref that is there, and never inserts with it', async () => {
    const there = { _id: freshSubject('a').hash, ref: 'r', accountId: 'a', keys: {} };
    const { store, sent } = await open((name, command) => {
      if (name === 'find' && command.find === ROWS) return found(there);
      return name === 'update' ? { ok: 1, n: 1, nModified: 1 } : undefined;
    });
    const { subject, key } = await ensure(store, '2026-12');
    expect(subject.ref).to.equal('r');
    expect(key.ref).to.equal('r');
    expect(sent('insert')).to.deep.equal([]);
    const [update] = sent('update');
    expect(update?.writeConcern).to.deep.equal(WRITE_CONCERN);
    const [{ q, upsert = false }] = update!.updates as [{ q: object; upsert?: boolean }];
    expect(q).to.deep.equal({ _id: there._id, ref: 'r', 'keys.2026-12': { $exists: false } });
    expect(upsert).to.equal(false);
  });

  it('looks again where a rival was first, until most of the servers have what it wrote', async () => {
    const keys = { [NOVEMBER]: 'AAAA' };
    const row = { _id: freshSubject('a').hash, ref: 'r', accountId: 'a', keys };
    let looks = 0;
    const { store, sent } = await open((name, command) => {
      if (name === 'insert') return TAKEN;
      if (name !== 'find' || command.find !== ROWS) return undefined;
      looks += 1;
      return looks > 3 ? found(row) : found();
    });
    const { subject, key } = await ensure(store);
    expect(subject.ref).to.equal('r');
    expect(Buffer.from(key.wrapped)).to.deep.equal(Buffer.from('AAAA', 'base64'));
    expect(sent('insert')).to.have.length(3);
  });

  it('gives up on a subject that is always taken and never shown', async () => {
    const { store } = await open((name) => (name === 'insert' ? TAKEN : undefined));
    expect(await outcomeOf(ensure(store))).to.be.instanceOf(KeysUnavailable);
  });

  it('destroys durably, and tells when it is not known to be', async () => {
    const late = { code: 64, codeName: 'WriteConcernTimeout', errmsg: 'waiting timed out' };
    let isLate = false;
    const { store, sent } = await open((name) =>
      name === 'findAndModify' && isLate
        ? { ok: 1, value: null, writeConcernError: late }
        : undefined,
    );
    await store.destroySubjects(['r', 's']);
    const all = sent('findAndModify');
    const wanted = { remove: true, writeConcern: WRITE_CONCERN };
    expect(all).to.have.length(2);
    expect(all[0]).to.deep.include({ query: { ref: 'r' }, ...wanted });
    expect(all[1]).to.deep.include({ query: { ref: 's' }, ...wanted });
    isLate = true;
    expect(await outcomeOf(store.destroySubjects(['r']))).to.be.instanceOf(KeysUnavailable);
  });

  it('says that it cannot serve while the server hangs up, without its words', async () => {
    const { store } = await open(() => 'hang up');
    for (const work of [
      () => ensure(store),
      () => store.keys([{ ref: 'r', month: NOVEMBER }]),
      () => store.subjects(['h']),
      () => store.applied(),
      () => store.setApplied(3),
      () => store.destroyMonths('a', NOVEMBER),
    ]) {
      const error = await outcomeOf(work());
      expect(error).to.be.instanceOf(KeysUnavailable);
      expect((error as Error).message).to.equal('MongoDB does not serve the data keys');
    }
    expect(await store.health()).to.deep.equal({ ok: false, detail: 'MongoDB does not answer' });
  });
});

describe('the data keys in MongoDB, among rivals', () => {
  it('leave connections to others while many contacts are new, and places to other accounts', async () => {
    const door = gate();
    door.close();
    const store = keysOver(createFakeMongo().connect(door.pass));
    const ensure = async (accountId: string, id: number) =>
      (await store.ensure([freshSubject(accountId, `${id}`)], NOVEMBER, wrapFor(NOVEMBER)))[0]!;
    const prepared = ensure('a', 0);
    await until('the indexes are asked for', () => door.held() === 1);
    door.open();
    await prepared;
    door.close();
    const all = Array.from({ length: 100 }, (_, id) => ensure('a', id));
    await until('some are under way', () => door.held() > 0);
    all.push(ensure('b', 0));
    await nextTurn();
    expect(door.held()).to.equal(9);
    door.open();
    const made = await Promise.all(all);
    expect(new Set(made.map(({ subject }) => subject.ref)).size).to.equal(101);
  });

  it('keep one ref and key for an id, and none that is destroyed, in any order of steps', async () => {
    const step = fc.record({
      who: fc.nat(2),
      what: fc.constantFrom('ensure', 'ensure', 'ensure', 'destroy', 'expire'),
      month: fc.constantFrom(NOVEMBER, '2026-12'),
      pass: fc.nat(4),
    });
    const chances = fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true }));
    await fc.assert(
      fc.asyncProperty(
        chances,
        fc.array(step, { minLength: 3, maxLength: 20 }),
        async (chance, steps) => {
          const mongo = createFakeMongo();
          const turns = createTurns(() => chance.next().value);
          const stores = [0, 1, 2].map(() => keysOver(mongo.connect(turns.take)));
          const given = new Map<string, Set<string>>();
          const destroyed = new Set<string>();
          let isExpired = false;
          const under: Promise<unknown>[] = [];
          for (const { who, what, month, pass } of steps) {
            const store = stores[who]!;
            if (what === 'ensure') {
              const ensuring = store.ensure([freshSubject('a')], month, wrapFor(month));
              under.push(
                ensuring.then(([held]) => {
                  const { subject, key } = held!;
                  expect(key.ref).to.equal(subject.ref);
                  const name = `${key.ref} ${month}`;
                  const wrapped = Buffer.from(key.wrapped).toString('base64');
                  given.set(name, (given.get(name) ?? new Set()).add(wrapped));
                }),
              );
            } else if (what === 'destroy') {
              const [row] = mongo.tableOf(ROWS).documents.values() as Iterable<never>;
              const { ref } = (row ?? {}) as Partial<Row>;
              if (ref) under.push(store.destroySubjects([ref]).then(() => destroyed.add(ref)));
            } else {
              isExpired = true;
              under.push(store.destroyMonths('a', NOVEMBER));
            }
            await turns.some(pass);
          }
          let isOver = false;
          const ended = Promise.all(under).finally(() => {
            isOver = true;
          });
          // Who looks again pauses meanwhile.
          while (!isOver) {
            await turns.all();
            await pause(1);
          }
          await ended;
          const rows = [...mongo.tableOf(ROWS).documents.values()] as unknown as Row[];
          expect(rows.length).to.be.at.most(1);
          for (const { ref, keys } of rows) {
            expect(destroyed.has(ref), 'a destroyed subject is there').to.equal(false);
            for (const [month, wrapped] of Object.entries(keys)) {
              const all = given.get(`${ref} ${month}`);
              expect(all?.has(wrapped), 'nobody was given the key').to.equal(true);
            }
          }
          // A month that has expired is not used again, so its key is one only until then.
          for (const [name, all] of given) {
            if (!isExpired || name.endsWith('12')) expect(all.size, name).to.equal(1);
          }
        },
      ),
      { numRuns: 120, seed: 5 },
    );
  });
});
