import { expect } from 'chai';
import { checkInstallation } from '../../src/commands/core/installation.ts';
import { openEventStoreDb } from '../../src/events/eventstoredb/store.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { type EventStore, NO_STREAM } from '../../src/events/store.ts';
import { createSecrets } from '../../src/shared/secrets.ts';
import { systemIds } from '../../src/shared/system.ts';
import { fixedClock } from '../support/ambient.ts';
import { killChildren, spawnChild, startChild } from '../support/faults/child.ts';
import { refusalHere, runHere } from '../support/faults/here.ts';
import { temporaryFolder } from '../support/folder.ts';
import { type EventStoreDouble, startEventStoreDouble } from '../support/grpc/eventstore.ts';
import { startRelay } from '../support/grpc/relay.ts';
import { useRealConnections } from '../support/network.ts';

const REFUSED =
  /^waybill: WAYBILL_SECRET is not the secret that this log was written with: set the earlier one again\. [^\n]+\n$/;
const right = Buffer.alloc(32, 7);
const wrong = { WAYBILL_SECRET: '08'.repeat(32) };
const NOWHERE = 'http://127.0.0.1:1';

const check = (
  store: EventStore,
  secret: Buffer,
  more: { eventsMax?: number; secretLost?: boolean } = {},
) =>
  checkInstallation({
    store,
    proofs: createSecrets(secret),
    clock: fixedClock(),
    ids: systemIds,
    ...more,
  });
const other = Buffer.alloc(32, 8);
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => (error as Error).name,
  );

describe('a wrong WAYBILL_SECRET @long', () => {
  useRealConnections();
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await killChildren();
    folder.remove();
  });

  describe('on embedded files', () => {
    const options = () => ({ directory: folder.path, providerUrl: NOWHERE });

    it('row 36: the start is refused with one line and exit status 1, and changes nothing', async () => {
      await runHere(options());
      const open = () => openSqliteStore({ directory: folder.path });
      const headOf = async () => {
        const store = await open();
        const head = await store.head();
        await store.close();
        return head;
      };
      const before = await headOf();
      const second = spawnChild({ ...options(), env: { ...wrong, LOG_LEVEL: 'error' } });
      expect(await second.ended).to.equal(1);
      expect(second.output()).to.match(REFUSED);
      expect(await headOf()).to.equal(before);
      await runHere(options());
    });
  });

  describe('on an EventStoreDB', () => {
    let double: EventStoreDouble;
    const url = () => `esdb://127.0.0.1:${double.port}?tls=false`;
    beforeEach(async () => {
      double = await startEventStoreDouble();
    });
    afterEach(() => double.close());

    for (const role of ['all', 'api', 'worker']) {
      it(`row 36: a process of the role ${role} does not start`, async () => {
        const store = await openEventStoreDb({ url: url() });
        await check(store, right);
        await store.close();
        const env = {
          ...wrong,
          EVENTSTORE_URL: url(),
          MONGODB_URL: 'mongodb://127.0.0.1:1',
          WAYBILL_ROLE: role,
        };
        const options = { directory: folder.path, providerUrl: NOWHERE, env };
        expect(await refusalHere(options)).to.match(REFUSED);
      });
    }
  });

  it('row 36: ends the process once a log can be read that was away at the start', async () => {
    const double = await startEventStoreDouble();
    const relay = await startRelay(double.port);
    const url = `esdb://127.0.0.1:${relay.port}?tls=false`;
    const store = await openEventStoreDb({ url });
    await check(store, right);
    await store.close();
    await relay.down();
    const env = {
      ...wrong,
      EVENTSTORE_URL: url,
      MONGODB_URL: 'mongodb://127.0.0.1:1',
      WAYBILL_ROLE: 'api',
    };
    const child = await startChild({ directory: folder.path, providerUrl: NOWHERE, env });
    expect(child.output()).to.include('WAYBILL_SECRET is checked once the log can be read');
    await relay.up();
    expect(await child.ended).to.equal(1);
    expect(child.output()).to.match(/\nwaybill: WAYBILL_SECRET is not the secret/);
    await relay.close();
    await double.close();
  });

  describe('and the log', () => {
    let store: EventStore;
    beforeEach(async () => {
      store = await openSqliteStore({ directory: folder.path });
    });
    afterEach(() => store.close());
    const eventOf = (type: string, data: object) => ({
      id: systemIds.uuid(),
      type,
      version: 1,
      data,
      meta: { at: '2026-11-22T09:00:00.000Z', requestId: 'r' },
    });
    const setToken = async (number: string, secret: Buffer) => {
      const accessToken = createSecrets(secret).seal('EAAG', `phone-${number}`);
      const data = { phoneNumberId: number, accessToken };
      await store.append(`phone-${number}`, NO_STREAM, [eventOf('PhoneTokenSet', data)]);
    };

    it('says whose it is from the first start on: one id for all, and nothing of the secret', async () => {
      const all = await Promise.all([check(store, right), check(store, right)]);
      const again = await check(store, right);
      for (const one of all) expect(one).to.deep.equal(again);
      const events = await store.read('installation-waybill');
      expect(events.map(({ type, data }) => ({ type, data }))).to.deep.equal([
        { type: 'InstallationFounded', data: again },
      ]);
      expect(again.secretCheck).to.match(/^[0-9a-f]{64}$/);
      expect(JSON.stringify(events)).not.to.include(right.toString('hex'));
      expect(await refusal(check(store, other))).to.equal('WrongSecret');
    });
    it('of an older program is held to the tokens in it, before it says whose it is', async () => {
      await setToken('1065', right);
      expect(await refusal(check(store, other))).to.equal('WrongSecret');
      expect(await store.read('installation-waybill')).to.deep.equal([]);
      expect(await refusal(check(store, right))).to.equal(undefined);
    });
    it('takes another secret where the earlier one is said to be lost, and then no other', async () => {
      const before = await check(store, right);
      const after = await check(store, other, { secretLost: true });
      expect(after.installationId).to.equal(before.installationId);
      expect(await check(store, other)).to.deep.equal(after);
      expect(await check(store, other, { secretLost: true })).to.deep.equal(after);
      expect(await refusal(check(store, right))).to.equal('WrongSecret');
      const types = (await store.read('installation-waybill')).map(({ type }) => type);
      expect(types).to.deep.equal(['InstallationFounded', 'SecretReplaced']);
    });
    it('of an older program takes it too, though it opens no token', async () => {
      await setToken('1065', right);
      const founded = await check(store, other, { secretLost: true });
      expect(await check(store, other)).to.deep.equal(founded);
    });
    it('is looked through for a token on every page, but not for ever', async () => {
      const settings = Array.from({ length: 1_010 }, (_, index) =>
        store.append(`phone-n${index}`, NO_STREAM, [
          eventOf('PhoneTokenSet', { phoneNumberId: `n${index}`, accessToken: null }),
        ]),
      );
      await Promise.all(settings);
      await setToken('1065', right);
      expect(await refusal(check(store, other, { eventsMax: 1_011 }))).to.equal('WrongSecret');
      expect(await refusal(check(store, other, { eventsMax: 1_010 }))).to.equal(undefined);
    });
  });
});
