import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  ContactErased,
  DESTROYED_KEYS_STREAM,
  type DestructionFact,
  MonthsExpired,
} from '../../../src/events/erasure.ts';
import {
  type EventStore,
  NO_STREAM,
  StoreUnavailable,
  UNREADABLE,
} from '../../../src/events/store.ts';
import { createDataSubjects } from '../../../src/keys/data-subjects.ts';
import { KeysUnavailable } from '../../../src/keys/key-store.ts';
import { openSqliteKeys } from '../../../src/keys/sqlite/keys.ts';
import { createWrapping } from '../../../src/keys/wrapping.ts';
import { applyDestructions, createDataKeys } from '../../../src/service/privacy/data-keys.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { fixedKey } from '../../../src/shared/installation-key.ts';
import { createLogger } from '../../../src/shared/logger.ts';
import { fixedClock } from '../../support/ambient.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { createMemoryLog } from '../../support/interleaving.ts';
import { createMemoryKeys } from '../../support/key-store.ts';
import { toNewEvent } from '../../support/projections-facts.ts';
import { testServers } from '../../support/servers.ts';
import { ADMIN_TOKEN, startWaybill, type Waybill } from '../../support/waybill.ts';

const secret = Buffer.alloc(32, 7);
const clock = fixedClock();
let count = 0;

const append = async (store: EventStore, facts: readonly DestructionFact[]) => {
  const [last] = await store.read(DESTROYED_KEYS_STREAM, { direction: 'backwards', limit: 1 });
  const events = facts.map((fact) => {
    count += 1;
    return toNewEvent(
      { stream: DESTROYED_KEYS_STREAM, fact, at: isoTime(clock.now()) },
      `destroyed-${count}`,
    );
  });
  await store.append(DESTROYED_KEYS_STREAM, last?.revision ?? NO_STREAM, events);
};
const erased = (...refs: string[]) => ContactErased.of({ erasureId: 'e', refs });
const expired = (accountId: string, through: string) => MonthsExpired.of({ accountId, through });
const thrownBy = (work: () => unknown): Promise<unknown> =>
  Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (error: unknown) => error,
    );

describe('the destructions of the log, applied to data keys', () => {
  const open = () => {
    const { store: log, events } = createMemoryLog();
    const memory = createMemoryKeys();
    const keys = memory.open();
    const subjects = createDataSubjects({ keys, wrapping: createWrapping(secret), clock });
    return { log, events, keys, calls: memory.calls, subjects };
  };

  it('destroy what an older copy of the keys still has, and nothing else', async () => {
    const { log, keys, subjects } = open();
    const all = await Promise.all(['1', '2', '3'].map((id) => subjects.of('a', id)));
    const other = await subjects.of('b', '1');
    await append(log, [erased('unknown', all[0]!.ref), expired('b', '2026-01')]);
    await append(log, [erased(all[1]!.ref)]);
    expect(await applyDestructions(log, keys)).to.equal(3);
    expect(await keys.keys([...all, other])).to.have.length(2);
    expect(await keys.subjectsOf(all.map(({ ref }) => ref))).to.have.length(1);
    await append(log, [expired('b', other.month), expired('b', '2026-02')]);
    expect(await applyDestructions(log, keys)).to.equal(2);
    expect(await keys.keys([...all, other])).to.have.length(1);
    expect(await applyDestructions(log, keys)).to.equal(0);
  });

  it('go on after the last one that was applied, in few calls', async () => {
    const { log, keys, calls } = open();
    const facts = Array.from({ length: 2_500 }, (_, at) => erased(`ref${at}`));
    for (let at = 0; at < facts.length; at += 500) await append(log, facts.slice(at, at + 500));
    const before = calls();
    expect(await applyDestructions(log, keys)).to.equal(2_500);
    expect(await keys.applied()).to.equal(2_499);
    expect(calls() - before).to.be.below(15);
    await append(log, [erased('one more')]);
    expect(await applyDestructions(log, keys)).to.equal(1);
  });

  it('are applied from the first one where the keys have seen more than the log has', async () => {
    const { log, keys, subjects } = open();
    const subject = await subjects.of('a', '1');
    await keys.setApplied(40);
    await append(log, [erased(subject.ref)]);
    expect(await applyDestructions(log, keys)).to.equal(1);
    expect(await keys.keys([subject])).to.deep.equal([]);
  });

  it('stop at one that this program cannot read', async () => {
    const { log, keys } = open();
    await append(log, [erased('ref')]);
    const [known] = await log.read(DESTROYED_KEYS_STREAM);
    const unknown = { ...known!, id: 'unknown', type: UNREADABLE, data: { type: 'ContactMoved' } };
    await log.append(DESTROYED_KEYS_STREAM, 0, [unknown]);
    const error = await thrownBy(() => applyDestructions(log, keys));
    expect((error as Error).message).to.include('event 1 of destroyedkeys-all cannot be read');
    expect(await keys.applied()).to.equal(-1);
  });
});

describe('the data keys of a service', () => {
  const open = (change: { isSecretChecked?: () => boolean } = {}) => {
    const { store } = createMemoryLog();
    const log = { isAway: false };
    const away: EventStore = {
      ...store,
      async read(...args) {
        if (log.isAway) throw new StoreUnavailable('the log is away');
        return store.read(...args);
      },
    };
    const logger = createLogger({ level: 'silent' });
    const keys = createMemoryKeys().open();
    const installationKey = fixedKey(secret);
    return {
      log,
      store,
      ...createDataKeys({
        keys,
        store: away,
        installationKey,
        clock,
        logger,
        isSecretChecked: () => true,
        ...change,
      }),
      raw: keys,
    };
  };

  it('serve nothing before the log’s destructions are applied, and then all', async () => {
    const { log, store, raw, ready, subjects } = open();
    const before = createDataSubjects({ keys: raw, wrapping: createWrapping(secret), clock });
    const [gone, kept] = [await before.of('a', '1'), await before.of('a', '2')];
    await append(store, [erased(gone.ref)]);
    log.isAway = true;
    for (const use of [
      () => subjects.of('a', '2'),
      () => subjects.refOf('a', '2'),
      () => subjects.ofRef(kept.ref),
      () => subjects.ring.load([kept]),
      ready,
    ]) {
      expect(await thrownBy(use)).to.be.instanceOf(StoreUnavailable);
    }
    log.isAway = false;
    await subjects.ring.load([gone, kept]);
    expect(subjects.ring.find(gone.ref, gone.month)).to.equal(undefined);
    expect(subjects.ring.find(kept.ref, kept.month)).to.deep.equal(kept.key);
    expect((await subjects.of('a', '1')).ref).to.not.equal(gone.ref);
    log.isAway = true;
    expect((await subjects.of('a', '3')).month).to.equal(kept.month);
    await ready();
  });

  it('serve nothing before the secret is checked, under which others would count as lost', async () => {
    let isChecked = false;
    const { subjects } = open({ isSecretChecked: () => isChecked });
    expect(await thrownBy(() => subjects.of('a', '1'))).to.be.instanceOf(KeysUnavailable);
    isChecked = true;
    expect(await subjects.of('a', '1')).to.have.property('ref');
  });
});

describe('a service with data keys', () => {
  let waybill: Waybill | undefined;
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
    mkdirSync(directory());
  });
  afterEach(async () => {
    await waybill?.stop();
    waybill = undefined;
    folder.remove();
  });
  const directory = () => join(folder.path, 'data');

  it('destroys again what an older key file that was put back brings with it', async function () {
    if (testServers()) this.skip();
    const file = (end = '') => join(directory(), `keys.db${end}`);
    const old = join(folder.path, 'old.db');
    // The log names the file from its first start on.
    await (await startWaybill({ directory: directory(), clock })).stop();
    const keys = await openSqliteKeys({ directory: directory() });
    const subjects = createDataSubjects({ keys, wrapping: createWrapping(secret), clock });
    const [gone, kept] = [await subjects.of('a', '1'), await subjects.of('a', '2')];
    const records = await keys.keys([gone]);
    await keys.close();
    copyFileSync(file(), old);

    waybill = await startWaybill({ directory: directory(), clock });
    await waybill.keys.destroySubjects([gone.ref]);
    await append(waybill.store, [erased(gone.ref)]);
    await waybill.stop();
    for (const end of ['-wal', '-shm']) rmSync(file(end), { force: true });
    copyFileSync(old, file());

    waybill = await startWaybill({ directory: directory(), clock });
    expect(await waybill.keys.keys([gone, kept])).to.have.length(1);
    expect(await waybill.keys.applied()).to.equal(0);
    const files = ['', '-wal', '-shm'].map((end) => file(end)).filter((path) => existsSync(path));
    const bytes = Buffer.concat(files.map((path) => readFileSync(path)));
    expect(bytes.includes(Buffer.from(records[0]!.wrapped))).to.equal(false);
  });

  it('is ready only while they can be used', async () => {
    const health = { ok: false, detail: 'no room' };
    waybill = await startWaybill({
      directory: directory(),
      wrapKeys: (keys) => ({ ...keys, health: async () => health }),
    });
    const parts = await fetch(`${waybill.url}/health/ready`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}` },
    });
    const { checks } = (await parts.json()) as { checks: Record<string, object> };
    expect(parts.status).to.equal(503);
    expect(checks.keys).to.deep.equal({ ok: false, detail: 'no room' });
  });
});
