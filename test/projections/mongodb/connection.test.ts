import { readdirSync, readFileSync } from 'node:fs';
import { inspect, isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import { MongoError } from 'mongodb';
import { START } from '../../../src/events/store.ts';
import { createCall, openConnection } from '../../../src/projections/mongodb/connection.ts';
import { ViewsUnavailable } from '../../../src/projections/views.ts';
import {
  found,
  openMongoViews,
  PATIENCE_MS,
  refusal,
  useWire,
} from '../../support/mongodb/views.ts';
import { openWire } from '../../support/mongodb/wire.ts';
import { untilTrue } from '../../support/until.ts';

const collection = 'parcels_v1_1';

describe('MongoDB views and their server', () => {
  const server = useWire((command) => {
    if (command.find === 'views.models') {
      return found({ _id: collection, incarnation: 7, state: 'open', fields: [] });
    }
    if (command.find !== 'views.checkpoints') return undefined;
    const collections = { [collection]: { incarnation: 7, at: {} } };
    return found({ _id: 'all', shared: { p0: { fence: 0, at: START } }, collections });
  });
  const { opened } = server;

  describe('a server that is away', () => {
    /** Asks until the server is found: an attempt may take longer than the time it has. */
    const isUsed = (ask: () => Promise<unknown>, wanted: unknown) =>
      untilTrue('the server is used', async () => {
        const answer = await ask().catch((error: Error) => {
          expect(error).to.be.instanceOf(ViewsUnavailable);
          return error;
        });
        return isDeepStrictEqual(answer, wanted);
      });

    it('does not prevent opening, and is used once it is up', async () => {
      const { wire } = await server.open();
      await wire.close();
      const url = `mongodb://127.0.0.1:${wire.port}/?serverSelectionTimeoutMS=100`;
      const views = await openMongoViews({ url });
      opened.push(views);
      for (let attempt = 0; attempt < 2; attempt += 1) {
        // The time for an attempt may be over before the refusal is heard.
        await untilTrue('the refusal is told', async () => {
          const error = await refusal(views.get(collection, 'a'));
          expect(error).to.be.instanceOf(ViewsUnavailable);
          return error.message.includes('ECONNREFUSED');
        });
        const unwell = { ok: false, detail: 'MongoDB does not answer' };
        expect(await views.health()).to.deep.equal(unwell);
      }
      opened.push(await openWire(() => undefined, wire.port));
      await isUsed(() => views.get(collection, 'a'), undefined);
      await isUsed(views.health, { ok: true });
    });
    it('is found again through a new connection of the driver after 10 s without any success', async () => {
      const { wire } = await server.open();
      let now = 0;
      const url = `mongodb://127.0.0.1:${wire.port}/?serverSelectionTimeoutMS=100`;
      const connection = await openConnection(url, () => now);
      opened.push(connection);
      const { call, db } = connection;
      const leases = db.collection('views.leases');
      const ask = () => call(1_000, () => leases.find({}).toArray());
      await isUsed(ask, []);
      await wire.close();
      expect(await refusal(ask())).to.be.instanceOf(ViewsUnavailable);
      now += 10_000;
      expect(await refusal(ask())).to.be.instanceOf(ViewsUnavailable);
      opened.push(await openWire(() => undefined, wire.port));
      await isUsed(ask, []);
    });
    it('is looked for by a new connection of the driver, whose own look hangs', async () => {
      let now = 0;
      let hangs = false;
      const made: string[] = [];
      const client = {
        async connect() {
          made.push('connect');
          hangs = false;
        },
        close: async () => void made.push('close'),
      };
      const call = createCall({ MongoError }, client, () => now);
      const ask = () =>
        call(1_000, async () => {
          if (hangs) throw new MongoError('Server selection timed out');
          return 'found';
        });
      expect(await ask()).to.equal('found');
      hangs = true;
      for (const passedMs of [0, 9_999]) {
        now += passedMs;
        expect(await refusal(ask())).to.be.instanceOf(ViewsUnavailable);
      }
      expect(made).to.deep.equal(['connect']);
      now += 1;
      expect(await refusal(ask())).to.be.instanceOf(ViewsUnavailable);
      expect(await ask()).to.equal('found');
      expect(made).to.deep.equal(['connect', 'close', 'connect']);
    });
    it('is not asked any more after the end', async () => {
      const { views, wire } = await server.open();
      await views.live();
      await views.close();
      await views.close();
      const before = wire.commands.length;
      expect(await refusal(views.live())).to.be.instanceOf(ViewsUnavailable);
      expect((await views.health()).ok).to.equal(false);
      expect(wire.commands).to.have.length(before);
    });
  });

  describe('the URL', () => {
    it('names the database, which is else waybill', async () => {
      for (const [path, name] of [
        ['', 'waybill'],
        ['other%2Dname', 'other-name'],
      ]) {
        const { views, wire } = await server.open(() => undefined, { path: path! });
        await views.live();
        expect(wire.commands[0]?.command.$db).to.equal(name);
      }
    });
    it('cannot make writes less safe', async () => {
      const { views, sent } = await server.open(() => undefined, {
        query: '&retryWrites=true&w=1&journal=false',
      });
      const writes = [{ id: 'a', position: '1', document: {} }];
      await views.commit([{ collection, writes, from: START, to: '1' }]);
      for (const { command } of sent('update')) {
        expect(command.writeConcern).to.deep.include({ w: 'majority', j: true });
        expect(command).to.not.have.property('txnNumber');
      }
    });
    it('is quoted by no error', async () => {
      const bad = [
        'mongodb://user:s3cret@host:99999/',
        'mongodb://us/er:s3cret@host/',
        'mongodb://s3cret:p@ss@host/',
        'mongodb://user:s3cret%zz@host/',
        'mongodb://user:s3cret@host/?nope=s3cret',
        'mongodb://user:s3cret@host/%zz',
        'mongodb://user:s3cret@host/a.b',
      ];
      for (const url of bad) {
        const error = await refusal(openMongoViews({ url }));
        expect(error.message, url).to.match(/^MONGODB_URL cannot be understood/);
        expect(inspect(error, { depth: 9 })).to.not.contain('s3cret');
      }
    });
    it('has its password kept back when the server refuses it', async () => {
      const wire = await openWire((name) =>
        name.startsWith('sasl')
          ? { ok: 0, code: 18, codeName: 'AuthenticationFailed', errmsg: 'Authentication failed.' }
          : undefined,
      );
      opened.push(wire);
      const url = `mongodb://user:s3cret@127.0.0.1:${wire.port}/?authMechanism=PLAIN&authSource=$external&serverSelectionTimeoutMS=${PATIENCE_MS}`;
      const views = await openMongoViews({ url });
      opened.push(views);
      const error = await refusal(views.live());
      expect(error).to.be.instanceOf(ViewsUnavailable);
      expect(error.message).to.contain('AuthenticationFailed (18)');
      expect(inspect([error, await views.health()], { depth: 9 })).to.not.contain('s3cret');
    });
  });

  it('is not loaded unless it is opened', () => {
    const folder = new URL('../../../src/projections/mongodb/', import.meta.url);
    const files = readdirSync(folder);
    expect(files).to.include('connection.ts');
    for (const file of files) {
      const text = readFileSync(new URL(file, folder), 'utf8');
      for (const line of text.split('\n').filter((one) => /from 'mongodb'/.test(one))) {
        expect(line, file).to.match(/^import type /);
      }
    }
  });
});
