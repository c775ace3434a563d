import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { openEventStoreDb } from '../../src/events/eventstoredb/store.ts';
import { keysOver } from '../../src/keys/mongodb/keys.ts';
import { openKeySource } from '../../src/keys/sqlite/source.ts';
import { openConnection } from '../../src/projections/mongodb/connection.ts';
import { runHere } from '../cli/support.ts';
import { killChildren } from '../support/faults/child.ts';
import { type Crashes, openCrashes } from '../support/faults/crash.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startEventStoreDouble } from '../support/grpc/eventstore.ts';
import { useRealConnections } from '../support/network.ts';
import { runName, testServers, withDatabase } from '../support/servers.ts';
import { notify } from '../support/surface.ts';
import { untilTrue } from '../support/until.ts';
import type { Json, Tenant } from '../support/waybill.ts';

const servers = testServers();
const CONTACTS = ['919812340001', '919812340002', '919812340003'] as const;
const [GONE, LATER, STAYS] = CONTACTS;

/** The server of the environment where it holds nothing, as a copy needs it; else a double. */
const emptyLog = async (): Promise<{ url: string; close(): Promise<void> }> => {
  const { eventStoreUrl: url } = servers!;
  const there = await openEventStoreDb({ url });
  const isEmpty = (await there.head()) === '';
  await there.close();
  return isEmpty ? { url, close: async () => undefined } : startEventStoreDouble();
};

(servers ? describe : describe.skip)('a service that moves to servers', () => {
  useRealConnections();
  const folder = temporaryFolder();
  const mongo = new MongoClient(servers?.mongoUrl ?? 'mongodb://127.0.0.1');
  const closing: (() => Promise<unknown>)[] = [];
  let databases = 0;
  let crashes: Crashes;
  let tenant: Tenant;
  /** With the data as the embedded service left them. */
  const newDirectory = (): string => {
    const directory = join(folder.path, `data-${databases}`);
    cpSync(crashes.directory, directory, { recursive: true });
    return directory;
  };
  const newDatabase = (): string => {
    databases += 1;
    const name = `waybill_${runName}x${process.pid.toString(36)}xkeys${databases}`;
    closing.push(() => mongo.db(name).dropDatabase());
    return withDatabase(servers!.mongoUrl, name);
  };
  const send = async (contact: string) => {
    const change = { to: `+${contact}`, variables: { orderId: `of ${contact}` } };
    expect((await notify(crashes, tenant, change)).status).to.equal(200);
  };
  const erase = async (contact: string) => {
    const { id } = await crashes.admin('POST', '/erasures', { contact });
    const state = async () => (await crashes.admin('GET', `/erasures/${id}`)).state;
    await untilTrue('the erasure is done', async () => (await state()) === 'done');
  };
  /** Whose parameters the history shows; undefined while it cannot be read. */
  const shown = async (): Promise<string[] | undefined> => {
    const { status, body } = await crashes.call('GET', '/v1/messages', { token: tenant.apiKey });
    if (status !== 200) return undefined;
    const text = JSON.stringify(body.messages.map(({ content }: Json) => content));
    return CONTACTS.filter((contact) => text.includes(`of ${contact}`));
  };
  const serves = (contacts: readonly string[]) =>
    untilTrue(
      `the history shows ${contacts}`,
      async () => (await shown())?.join() === contacts.join(),
    );

  before(async () => {
    crashes = await openCrashes();
    const child = await crashes.start();
    tenant = await crashes.tenant({ credits: 100 });
    for (const contact of CONTACTS) await send(contact);
    await erase(GONE);
    expect(await child.stop()).to.equal(0);
  });
  after(async () => {
    await killChildren();
    for (const close of closing) await close();
    await crashes?.close();
    await mongo.close();
    folder.remove();
  });

  it('takes its data keys into MongoDB, as often as it is tried, and serves and erases there', async () => {
    const [directory, keysUrl, log] = [newDirectory(), newDatabase(), await emptyLog()];
    closing.push(log.close);
    const from = ['log', 'copy', '--from', directory];
    const copied = await runHere([...from, '--to', log.url, '--keys', keysUrl]);
    expect(copied.status, copied.stderr).to.equal(0);
    // Of two contacts, the key of the installation, and the id of the store.
    expect(copied.stderr).to.match(/^Copied 4 data keys\./);
    const env = { EVENTSTORE_URL: log.url, MONGODB_URL: keysUrl };
    const again = await runHere([...from, '--json'], { env });
    expect(again.status, again.stderr).to.equal(0);
    const { present, events, keys } = JSON.parse(again.stdout);
    expect([present, keys]).to.deep.equal([events, 4]);

    const child = await crashes.start({ directory: folder.path, env });
    await serves([LATER, STAYS]);
    await erase(LATER);
    await serves([STAYS]);
    await send(LATER);
    await serves([LATER, STAYS]);
    expect(await child.stop()).to.equal(0);
  });

  it('leaves a database alone that holds other keys', async () => {
    const [directory, keysUrl, log] = [
      newDirectory(),
      newDatabase(),
      await startEventStoreDouble(),
    ];
    closing.push(log.close);
    const source = openKeySource(directory)!;
    const [first] = source.all();
    source.close();
    const target = keysOver(await openConnection(keysUrl));
    const { subject, key } = first!;
    const other = Buffer.alloc(key.wrapped.length, 1);
    await target.ensure([subject], key.month, () => other);
    const args = ['log', 'copy', '--from', directory, '--to', log.url, '--keys', keysUrl];
    const { status, stderr } = await runHere(args);
    expect(status).to.equal(1);
    expect(stderr).to.include('the destination of the data keys holds others');
    const [kept] = await target.keys([{ ref: subject.ref, month: key.month }]);
    expect(Buffer.from(kept!.wrapped)).to.deep.equal(other);
    await target.close();
  });
});
