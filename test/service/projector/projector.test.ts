import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openSqliteStore, type SqliteStore } from '../../../src/events/sqlite/store.ts';
import { NO_STREAM } from '../../../src/events/store.ts';
import type { KeyStore } from '../../../src/keys/key-store.ts';
import { openSqliteKeys } from '../../../src/keys/sqlite/keys.ts';
import { NotReached } from '../../../src/projections/engine/reader.ts';
import { organisations } from '../../../src/projections/organisations.ts';
import { createListerThread } from '../../../src/projections/sqlite/lister.ts';
import { openSqliteViewsReader } from '../../../src/projections/sqlite/views-reader.ts';
import type { ViewsReader } from '../../../src/projections/views.ts';
import { type Projector, startProjector } from '../../../src/service/projector/projector.ts';
import type { Log } from '../../../src/shared/logger.ts';
import { systemClock } from '../../../src/shared/system.ts';
import { created, freshStream, outcomeOf } from '../../contract/store-events.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { untilTrue } from '../../support/until.ts';

const secret = Buffer.alloc(32, 7);
/** More than a busy machine needs: no test waits it out. */
const WAIT_MS = 600_000;

describe('the projections in a thread of their own @long', () => {
  const folder = temporaryFolder();
  const said: string[] = [];
  const note = (_: object, text: string) => void said.push(text);
  const logger: Log = { info: note, warn: note, error: note };
  let store: SqliteStore;
  let keys: KeyStore;
  let views: ViewsReader;
  let projector: Projector;
  let engine: ReturnType<Projector['engine']>;

  before(async () => {
    const directory = folder.path;
    store = await openSqliteStore({ directory });
    keys = await openSqliteKeys({ directory });
    projector = await startProjector({
      directory,
      key: () => secret,
      logger,
      head: store.sharedHead,
    });
    const { probe } = projector;
    views = openSqliteViewsReader({ directory, probe, createLister: createListerThread });
    engine = projector.engine(views, systemClock);
    await engine.start();
  });
  after(async () => {
    await engine.stop();
    await views.close();
    await projector.close();
    await keys.close();
    await store.close();
    folder.remove();
  });

  const append = async (name: string) => {
    const { position } = await store.append(freshStream(), NO_STREAM, [created(name)]);
    return position;
  };
  const nameShown = async () => (await engine.reader.get(organisations, 'o-1'))?.name;

  it('show what was just written to a waiting reader', async () => {
    for (const name of ['one', 'two', 'three']) {
      await engine.reader.reached([organisations], await append(name), WAIT_MS);
      expect(await nameShown()).to.equal(name);
    }
  });

  it('empty the documents of destroyed keys, and clean their files', async () => {
    const position = await append('three');
    await engine.erase({ refs: ['nobody'] }, position);
    await engine.clean();
    expect(statSync(join(folder.path, 'views.db-wal')).size).to.equal(0);
    const late = await engine.erase({ refs: ['nobody'] }, `${position}0`).catch((error) => error);
    expect(late).to.be.instanceOf(NotReached);
  });

  it('follow the log without a waiting reader', async () => {
    await append('four');
    await untilTrue('four is shown', async () => (await nameShown()) === 'four');
  });

  it('reject a wait after its time limit', async () => {
    const beyond = String(Number(await store.head()) + 1).padStart(16, '0');
    const outcome = await outcomeOf(engine.reader.reached([organisations], beyond, 20));
    expect(outcome).to.be.instanceOf(NotReached);
    expect((outcome as NotReached).projections).to.deep.equal(['organisations']);
  });

  it('give their status, and are rebuilt on request', async () => {
    const before = await views.live();
    await engine.rebuild('organisations');
    const tookOver = async () => (await views.live()).organisations !== before.organisations;
    await untilTrue('the new collection took over', tookOver);
    await engine.reader.reached([organisations], await append('five'), WAIT_MS);
    expect(await nameShown()).to.equal('five');
    const status = (await engine.status()).find(({ name }) => name === 'organisations');
    expect(status).to.include({ state: 'live', lag: 0, error: null });
    expect(await outcomeOf(engine.rebuild('nothing'))).to.include({ code: 'resource.unknown' });
  });

  it('continue in a new thread when theirs dies', async () => {
    expect(await views.health()).to.deep.equal({ ok: true });
    const waiting = outcomeOf(engine.reader.reached([organisations], '9'.repeat(16), WAIT_MS));
    await projector.crash();
    expect(await waiting).to.be.instanceOf(NotReached);
    expect(await outcomeOf(engine.status())).to.include({ name: 'ProjectorDown' });
    expect(await views.health()).to.include({ ok: false });
    expect(await nameShown()).to.equal('five');
    await engine.reader.reached([organisations], await append('six'), WAIT_MS);
    expect(await nameShown()).to.equal('six');
    await untilTrue('the views can be written again', async () => (await views.health()).ok);
    expect(said).to.include('the thread of the projections died');
  });
});
