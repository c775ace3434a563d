import { expect } from 'chai';
import { checkInstallation } from '../../src/commands/core/installation.ts';
import { openEventStoreDb } from '../../src/events/eventstoredb/store.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { createSecrets } from '../../src/shared/secrets.ts';
import { systemIds } from '../../src/shared/system.ts';
import { fixedClock } from '../support/ambient.ts';
import { killChildren, spawnChild, startChild } from '../support/faults/child.ts';
import { refusalHere, runHere } from '../support/faults/here.ts';
import { folderInEachTest } from '../support/folder.ts';
import { type EventStoreDouble, startEventStoreDouble } from '../support/grpc/eventstore.ts';
import { startRelay } from '../support/grpc/relay.ts';
import { useRealConnections } from '../support/network.ts';

const REFUSED =
  /^waybill: WAYBILL_SECRET is not the secret that this log was written with: set the earlier one again\. [^\n]+\n$/;
const wrong = { WAYBILL_SECRET: '08'.repeat(32) };
const NOWHERE = 'http://127.0.0.1:1';

/** A log that was written with the right secret. */
const found = async (url: string): Promise<void> => {
  const store = await openEventStoreDb({ url });
  const proofs = createSecrets(Buffer.alloc(32, 7));
  await checkInstallation({ store, proofs, clock: fixedClock(), ids: systemIds });
  await store.close();
};

describe('a wrong WAYBILL_SECRET @long', () => {
  useRealConnections();
  afterEach(killChildren);
  const folder = folderInEachTest();

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
        await found(url());
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

  it('row 36: ends the process once a log can be read that was away at the start @series', async () => {
    const double = await startEventStoreDouble();
    const relay = await startRelay(double.port);
    const url = `esdb://127.0.0.1:${relay.port}?tls=false`;
    await found(url);
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
});
