import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { readPart } from '../../src/audit/offline-part.ts';
import { readInThreads } from '../../src/audit/offline-threads.ts';
import { openSqliteArchive, stretchesOf } from '../../src/events/sqlite/archive.ts';
import { openSqliteStore } from '../../src/events/sqlite/store.ts';
import { NO_STREAM } from '../../src/events/store.ts';
import { created } from '../contract/store-events.ts';
import { temporaryFolder } from '../support/folder.ts';

const EVENTS = 60;
const PART = 5;

describe('the parts of a log, read in several threads', () => {
  it('come in their order, and few of them are in memory', async () => {
    const folder = temporaryFolder();
    const store = await openSqliteStore({ directory: folder.path });
    await store.append(
      'organisation-1',
      NO_STREAM,
      Array.from({ length: EVENTS }, () => created()),
    );
    const head = await store.head();
    await store.close();
    const archive = openSqliteArchive(folder.path);
    let taken = 0;
    let readHere = 0;
    const stretches = function* () {
      for (const stretch of stretchesOf(head, PART)) {
        taken += 1;
        yield stretch;
      }
    };
    const how = {
      helpers: 1,
      readHere: (stretch: Parameters<typeof readPart>[1]) => {
        readHere += 1;
        return readPart(archive, stretch);
      },
    };
    const { terminate } = Worker.prototype;
    let ended = 0;
    Worker.prototype.terminate = async function (this: Worker) {
      const code = await terminate.call(this);
      ended += 1;
      return code;
    };
    const ends: string[] = [];
    for await (const { to } of readInThreads(folder.path, stretches(), how)) {
      // The helper starts slower than this thread reads: two parts are with it, four are read here.
      if (ends.length === 0) expect([taken, readHere]).to.deep.equal([6, 4]);
      ends.push(to);
      expect(taken - ends.length).to.be.at.most(6);
    }
    Worker.prototype.terminate = terminate;
    expect(ended, 'threads that have ended').to.equal(1);
    expect(ends).to.deep.equal([...stretchesOf(head, PART)].map(({ upTo }) => upTo));
    archive.close();
    folder.remove();
  });
});
