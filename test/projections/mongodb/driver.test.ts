import { inspect } from 'node:util';
import { expect } from 'chai';
import { START, StoreUnavailable } from '../../../src/events/store.ts';
import { openConnection } from '../../../src/projections/mongodb/connection.ts';
import {
  type Commit,
  StaleCheckpoint,
  Unserved,
  Unwritable,
  ViewsUnavailable,
} from '../../../src/projections/views.ts';
import { found, refusal, useWire } from '../../support/mongodb/views.ts';
import type { Answer, Command } from '../../support/mongodb/wire.ts';

const collection = 'parcels_v1_1';
/** Its name on the server. */
const rows = `${collection}.7`;
const entry = { _id: collection, incarnation: 7, state: 'open', fields: ['n', 'kind'] };
const placesAt = (at: string) => ({
  _id: 'all',
  shared: { p0: { fence: 3, at } },
  collections: { [collection]: { incarnation: 7, at: {} } },
});
/** What the server has beside documents. */
const beside = (command: Command): Answer => {
  if (command.find === 'views.models') return found(entry);
  return command.find === 'views.checkpoints' ? found(placesAt(START)) : undefined;
};
const write = (id: string, position: string) => ({
  id,
  position,
  document: { id, secret: 'words' },
});
const commitOf = (...writes: Commit['writes']): Commit => ({
  collection,
  writes,
  from: START,
  to: '9',
});
describe('MongoDB views and the driver', () => {
  const server = useWire(beside);
  const toDocuments = (name: string, { update }: Command) => name === 'update' && update === rows;
  const withIndexes = (name: string): Answer =>
    name === 'listIndexes' ? found({ v: 2, key: { 'fields.n': 1 }, name: 'n_1' }) : undefined;
  const statements = ({ command }: { command: Command }) =>
    command.updates as { q: { _id: string }; u: unknown; upsert?: boolean }[];
  const byN = { where: {}, order: { field: 'n', direction: 'ascending' as const }, limit: 1 };
  type Sent = Awaited<ReturnType<typeof server.open>>['sent'];
  /** The searches for documents. */
  const searches = (sent: Sent) => sent('find').filter(({ command }) => command.find === rows);
  const taken = (index: number) => ({ index, code: 11_000, errmsg: 'E11000' });

  describe('a commit', () => {
    it('sends the documents of a collection at once, and then the checkpoint, both to last', async () => {
      const { views, wire } = await server.open();
      await views.commit([commitOf(write('a', '1'), write('b', '2'))]);
      const said = wire.commands.map(({ name, command }) => `${name} ${command[name]}`);
      expect(said).to.deep.equal([
        'find views.checkpoints',
        'find views.models',
        `update ${rows}`,
        'update views.checkpoints',
      ]);
      for (const { command } of wire.commands.slice(2)) {
        const writeConcern = { w: 'majority', j: true, wtimeout: 15_000 };
        expect(command).to.deep.include({ writeConcern });
        expect(command, 'the driver would send it again').to.not.have.property('txnNumber');
      }
      expect(wire.commands[2]!.command).to.include({ ordered: false });
      expect(statements(wire.commands[2]!).map(({ q, upsert }) => [q, upsert])).to.deep.equal([
        [{ _id: 'a', position: { $lt: '1' } }, true],
        [{ _id: 'b', position: { $lt: '2' } }, true],
      ]);
    });

    it('checks the writes whose id was taken, and sends only the remaining ones', async () => {
      let updates = 0;
      const { views, sent } = await server.open((name, command) => {
        if (command.find === rows) {
          return found({ _id: 'a', position: '1' }, { _id: 'b', position: '1' });
        }
        if (!toDocuments(name, command)) return undefined;
        updates += 1;
        return updates === 1 ? { ok: 1, n: 1, writeErrors: [taken(0), taken(1)] } : undefined;
      });
      await views.commit([commitOf(write('a', '1'), write('b', '2'), write('c', '3'))]);
      const rounds = sent('update').filter(({ command }) => command.update === rows);
      const ids = rounds.map((round) => statements(round).map(({ q }) => q._id));
      expect(ids).to.deep.equal([['a', 'b', 'c'], ['b']]);
      expect(searches(sent)[0]?.command.readConcern).to.deep.equal({ level: 'majority' });
    });

    it('gives up on documents that others keep taking', async () => {
      const { views, sent } = await server.open((name, command) =>
        toDocuments(name, command) ? { ok: 1, n: 0, writeErrors: [taken(0)] } : undefined,
      );
      const error = await refusal(views.commit([commitOf(write('a', '1'))]));
      expect(error).to.be.instanceOf(ViewsUnavailable);
      expect(sent('update')).to.have.length(4);
    });

    it('names the document that MongoDB can never keep', async () => {
      const { views, sent } = await server.open((name, command) =>
        toDocuments(name, command)
          ? { ok: 1, n: 1, writeErrors: [{ index: 1, code: 17_419, errmsg: 'secret words' }] }
          : undefined,
      );
      const error = await refusal(views.commit([commitOf(write('a', '1'), write('b', '2'))]));
      expect(error).to.be.instanceOf(Unwritable);
      expect(error).to.include({ collection, position: '2' });
      expect(inspect(error)).to.not.contain('secret words');
      expect(sent('update'), 'the checkpoint stays').to.have.length(1);
    });

    const writeConcernError = { code: 64, errmsg: 'waiting timed out' };
    const failures: [string, (name: string, command: Command) => Answer][] = [
      [
        'a document is refused for another reason',
        () => ({ ok: 1, n: 0, writeErrors: [{ index: 0, code: 13, errmsg: 'secret words' }] }),
      ],
      ['most of the replica set is away', () => ({ ok: 1, n: 1, writeConcernError })],
      [
        'most of it is away, and ids are taken as well',
        () => ({ ok: 1, n: 0, writeErrors: [taken(0)], writeConcernError }),
      ],
      [
        'the primary has stepped down',
        () => ({ ok: 0, code: 10_107, codeName: 'NotWritablePrimary', errmsg: 'not primary' }),
      ],
      ['the connection breaks before the answer', () => 'hang up'],
    ];
    for (const [what, answer] of failures) {
      it(`leaves the checkpoint, and is not sent again, when ${what}`, async () => {
        const { views, sent } = await server.open((name, command) =>
          toDocuments(name, command) ? answer(name, command) : undefined,
        );
        const error = await refusal(views.commit([commitOf(write('a', '1'))]));
        expect(error).to.be.instanceOf(ViewsUnavailable);
        expect(error).to.be.instanceOf(StoreUnavailable).with.property('retryAfterSeconds', 5);
        expect(inspect(error, { depth: 9 })).to.not.contain('words');
        expect(sent('update').map(({ command }) => command.update)).to.deep.equal([rows]);
      });
    }

    it('is refused when the checkpoint did not move, or is elsewhere to begin with', async () => {
      const overtaken = await server.open((_, command) =>
        command.update === 'views.checkpoints' ? { ok: 1, n: 0, nModified: 0 } : undefined,
      );
      const late = await refusal(overtaken.views.commit([commitOf(write('a', '1'))]));
      expect(late).to.be.instanceOf(StaleCheckpoint);

      const elsewhere = await server.open((_, command) =>
        command.find === 'views.checkpoints' ? found(placesAt('3')) : undefined,
      );
      const old = await refusal(elsewhere.views.commit([commitOf(write('a', '1'))]));
      expect(old).to.be.instanceOf(StaleCheckpoint);
      expect(elsewhere.sent('update'), 'nothing is written').to.deep.equal([]);
    });
  });

  describe('a read', () => {
    it('goes to the primary, has a limit, and is tried once more when the connection breaks', async () => {
      let finds = 0;
      const { views, sent } = await server.open(
        (_, command) => {
          if (command.find !== rows) return undefined;
          finds += 1;
          return finds === 1 ? 'hang up' : found({ _id: 'a', position: '1', document: '{"n":1}' });
        },
        { query: '&readPreference=secondary' },
      );
      const kept = await views.get(collection, 'a');
      expect(kept).to.deep.equal({ id: 'a', position: '1', document: { n: 1 } });
      const looks = searches(sent);
      expect(looks).to.have.length(2);
      expect(looks[0]?.command.maxTimeMS).to.equal(5_000);
      expect(looks[0]?.command, 'of the URL').to.not.have.property('$readPreference');
    });
    it('names the index that it goes along, and asks only once which there are', async () => {
      const { views, sent } = await server.open(withIndexes);
      const question = { ...byN, where: { kind: 'a' }, limit: 2 };
      await views.find(collection, question);
      await views.scan(collection, { ...question, rowsMax: 50, charactersMax: 10 });
      const looks = searches(sent);
      expect(looks).to.have.length(4);
      for (const { command } of looks) {
        expect(command).to.deep.include({ hint: 'n_1', maxTimeMS: 5_000, sort: { 'fields.n': 1 } });
      }
      expect(looks.map(({ command }) => [command.skip, command.limit])).to.deep.equal([
        [9_999, 2],
        [undefined, 3],
        [49, 2],
        [undefined, 3],
      ]);
      expect(sent('listIndexes')).to.have.length(1);
    });
    it('finds nothing by an index of a collection that is not there', async () => {
      const { views } = await server.open((name) =>
        name === 'listIndexes' ? { ok: 0, code: 26, errmsg: 'ns does not exist' } : undefined,
      );
      expect(await refusal(views.find(collection, byN))).to.be.instanceOf(Unserved);
    });
    it('ends when its time is up', async () => {
      const { wire } = await server.open(() => 'silence');
      const connection = await openConnection(`mongodb://127.0.0.1:${wire.port}/`);
      server.opened.push(connection);
      const error = await refusal(connection.call(50, () => connection.db.command({ ping: 1 })));
      expect(error).to.be.instanceOf(ViewsUnavailable);
      expect(error.message).to.contain('50 ms');
    });
    it('throws the error of an invalid query unchanged', async () => {
      const { views } = await server.open(withIndexes);
      const error = await refusal(views.find(collection, { ...byN, limit: 0 }));
      expect(error).to.be.instanceOf(RangeError);
    });
  });
});
