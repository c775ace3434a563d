import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createWriterThread } from '../../../src/projections/sqlite/writer.ts';
import { temporaryFolder } from '../../support/folder.ts';

describe('the thread that writes the views', () => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  const probe = { kind: 'probe' } as const;

  it('fails what it had not answered when it dies, and the next task starts it again', async () => {
    const file = join(folder.path, 'views.db');
    writeFileSync(file, 'this is no database, and long enough to be seen as none'.repeat(50));
    const writer = createWriterThread(file);
    const answers = await Promise.allSettled([writer.run(probe), writer.run(probe)]);
    for (const answer of answers) {
      expect(answer.status).to.equal('rejected');
      expect((answer as PromiseRejectedResult).reason.message).to.contain(
        'views cannot be written: its thread died',
      );
    }
    rmSync(file);
    await writer.run(probe);
    await writer.close();
  });

  it('takes no more than it can hold', async () => {
    const writer = createWriterThread(join(folder.path, 'full.db'));
    const tasks = Array.from({ length: 300 }, () => writer.run(probe));
    const results = await Promise.allSettled(tasks);
    expect(results.filter(({ status }) => status === 'rejected')).to.have.length(300 - 256);
    await writer.run(probe);
    await writer.close();
  });
});
