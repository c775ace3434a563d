import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { EventDefinition } from '../../src/events/define.ts';
import { definitions } from '../../src/events/index.ts';
import { projections } from '../../src/projections/all.ts';
import { temporaryFolder } from '../support/folder.ts';
import { useRealConnections } from '../support/network.ts';
import { createPerson } from '../support/privacy/person.ts';
import { openStage, type Stage, sendTemplates } from '../support/privacy/stage.ts';
import { testServers } from '../support/servers.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/privacy.md'), 'utf8');

/** The rows between two comments of the page. */
const rowsOf = (name: string): string[][] => {
  const [, block = ''] = page.split(new RegExp(`<!-- /?${name} -->`));
  return block
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
};
const namesIn = (cell = ''): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

describe('docs/privacy.md @long', () => {
  it('names every encrypted field of every event', () => {
    const stored = (definitions as unknown as readonly EventDefinition[])
      .filter(({ personal }) => personal.length > 0)
      .map(({ type, personal }) => [type, [...personal].sort()]);
    const told = rowsOf('events').map(([type, fields]) => [
      namesIn(type)[0],
      namesIn(fields).sort(),
    ]);
    expect(told).to.have.deep.members(stored);
  });

  it('names every read model that holds personal data', () => {
    const holding = projections.filter(({ erase }) => erase).map(({ name }) => name);
    expect(rowsOf('read models').map(([name]) => namesIn(name)[0])).to.have.members(holding);
  });

  it('leads to what MongoDB keeps, for how long, and what to set', () => {
    const [, anchor = ''] = /\(backups\.md#([\w-]+)\)[^|]*what to set/.exec(page) ?? [];
    const backups = readFileSync(join(root, 'docs/backups.md'), 'utf8');
    const chapter = backups
      .split(/^## /m)
      .find((text) => text.split('\n', 1)[0]!.toLowerCase().replaceAll(' ', '-') === anchor);
    for (const word of ['oplog', 'journal', 'free blocks', 'rs.printReplicationInfo()']) {
      expect(chapter).to.include(word);
    }
    expect(chapter).to.match(/replSetResizeOplog: 1, size: Double\(990\), minRetentionHours: 0/);
  });

  describe('and its commands', () => {
    useRealConnections();
    const folder = temporaryFolder();
    let stage: Stage;
    before(async function () {
      if (testServers()) return this.skip();
      const data = join(folder.path, 'data');
      mkdirSync(data);
      stage = await openStage({ directory: data });
      await sendTemplates(stage, { ...createPerson(), number: '919812345678' });
    });
    after(async () => {
      await stage?.close();
      folder.remove();
    });

    it('run as they stand @series', async () => {
      const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, lines]) => lines!);
      const commands = blocks.filter((lines) => lines.startsWith('waybill '));
      expect(commands).to.have.length.above(2);
      const script = commands.join('').replaceAll('<account>', stage.tenant.accountId);
      const program = `"${process.execPath}" "${join(root, 'src/cli/waybill.cjs')}"`;
      const ran = `waybill() { ${program} "$@"; }\n${script}`;
      const { stdout } = await promisify(execFile)('sh', ['-euc', ran], {
        cwd: folder.path,
        env: {
          PATH: process.env.PATH,
          WAYBILL_URL: `${stage.waybill.url}/api`,
          WAYBILL_ADMIN_TOKEN: ADMIN_TOKEN,
          no_proxy: '127.0.0.1',
        },
      });
      expect(stdout).to.match(/state: +done/);
      const exported = readFileSync(join(folder.path, 'contact.json'), 'utf8');
      expect(exported).to.include('919812345678');
    });
  });
});
