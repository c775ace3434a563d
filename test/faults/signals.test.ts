import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect } from 'chai';
import { killChildren, spawnChild } from '../support/faults/child.ts';
import { runHere } from '../support/faults/here.ts';
import { folderInEachTest } from '../support/folder.ts';
import { useRealConnections } from '../support/network.ts';
import { until } from '../support/until.ts';
import { ADMIN_TOKEN } from '../support/waybill.ts';

const root = join(import.meta.dirname, '../..');
const { scripts, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** A program in a process group of its own, so that whatever it leaves behind can be found. */
const startGroup = (command: string, args: string[], env: Record<string, string>) => {
  const child = spawn(command, args, {
    cwd: root,
    detached: true,
    env: { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`, ...env },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return { child, output: () => output };
};

const isGroupAlive = ({ pid }: ChildProcess): boolean => {
  try {
    return process.kill(-pid!, 0);
  } catch {
    return false;
  }
};

describe('signals @long', () => {
  useRealConnections();
  const groups: ChildProcess[] = [];
  const start = (command: string, args: string[], env: Record<string, string>) => {
    const group = startGroup(command, args, env);
    groups.push(group.child);
    return group;
  };
  afterEach(async () => {
    for (const group of groups.splice(0)) {
      if (isGroupAlive(group)) process.kill(-group.pid!, 'SIGKILL');
    }
    await killChildren();
  });
  const folder = folderInEachTest();
  const settings = () => ({
    PORT: '0',
    WAYBILL_DATA: folder.path,
    WAYBILL_SECRET: '07'.repeat(32),
    WAYBILL_ADMIN_TOKEN: ADMIN_TOKEN,
  });

  it('row 37: SIGTERM to npm start ends the service in order: exit 0, nothing lives on, the files are free', async () => {
    const { child, output } = start('npm', ['start'], settings());
    await until('the service to listen', () => output().includes('listens on'));
    child.kill('SIGTERM');
    const [status, signal] = await once(child, 'exit');
    expect({ status, signal }, output()).to.deep.equal({ status: 0, signal: null });
    await until('the last line of the log', () => output().includes('"msg":"Stopped"'));
    expect(isGroupAlive(child)).to.equal(false);
    await runHere({ directory: folder.path, providerUrl: 'http://127.0.0.1:9' });
  });

  it('row 37: SIGTERM while the service starts is not lost: it ends in order, exit 0 @series', async () => {
    // Without it the first line of the log comes before anything is opened.
    const env = { WAYBILL_VERIFY_TOKEN: '' };
    const one = spawnChild({ directory: folder.path, providerUrl: 'http://127.0.0.1:9', env });
    await until('the start to begin', () => one.output().includes('The webhook answers 503'));
    one.child.kill('SIGTERM');
    expect(await one.ended).to.equal(0);
    expect(one.output()).to.match(/"msg":"Stopped"/);
  });

  it('row 37: the container runs the same command without a shell or npm between', () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    const command: string[] = JSON.parse(/^CMD (.*)$/m.exec(dockerfile)![1]!);
    expect(['exec', ...command].join(' ')).to.equal(scripts.start);
    expect(dockerfile).not.to.match(/^ENTRYPOINT/m);
  });

  it('row 37: no script of package.json leaves a shell between npm and node', () => {
    for (const [name, script] of Object.entries<string>(scripts)) {
      if (/\bnode\b/.test(script)) expect(script, name).to.match(/^exec node [^&|;]*$/);
    }
  });

  describe('on an older Node', () => {
    const older =
      'for (const [name, value] of [["versions", { node: "20.20.2" }], ["version", "v20.20.2"]])' +
      'Object.defineProperty(process, name, { value })';
    const wanted = Number.parseInt(engines.node.replace(/^\D+/, ''), 10);

    for (const name of ['start', 'demo', 'waybill']) {
      it(`npm run ${name} says so in one line before anything else`, async () => {
        const [, , ...args] = (scripts[name] as string).split(' ');
        const preload = join(folder.path, 'older.cjs');
        writeFileSync(preload, older);
        const program = ['--require', preload, ...args];
        const { child, output } = start(process.execPath, program, settings());
        expect(await once(child, 'close')).to.deep.equal([1, null]);
        const says = `waybill needs Node.js ${wanted} or later, and this is v20.20.2: `;
        expect(output().startsWith(says), output()).to.equal(true);
        expect(output().slice(says.length)).to.match(/^[^\n]+\n$/);
      });
    }
  });
});
