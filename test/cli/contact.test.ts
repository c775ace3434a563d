import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { answered } from '../support/answered.ts';
import { folderInSuite } from '../support/folder.ts';
import { useStub } from './support.ts';

const found = { events: 3, messages: 2, conversations: 1, runs: 0, deadLetters: 0 };
const erasure = {
  id: 'era_1',
  accountId: null,
  reason: 'asked',
  requestedAt: '2026-11-21T12:00:00.000Z',
  requestedBy: null,
  doneAt: null,
  found: null,
  state: 'queued',
};
const done = { ...erasure, state: 'done', doneAt: '2026-11-21T12:00:01.000Z', found };

describe('waybill contact', () => {
  const stub = useStub();
  const folder = folderInSuite();
  const run = (line: string) => stub.run(`contact ${line}`);
  const requests = () => stub.asked.map(({ method, path }) => `${method} ${path.slice(13)}`);

  describe('erase', () => {
    it('asks, waits until it is done, and shows what was found', async () => {
      let looks = 0;
      stub.answers(({ method }) => {
        if (method === 'POST') return { status: 202, body: erasure };
        looks += 1;
        return { body: looks < 2 ? { ...erasure, state: 'running', found } : done };
      });
      const { stdout } = await answered(0, run('erase +919812345678 --account a1 --reason asked'));
      const asked = { contact: '+919812345678', accountId: 'a1', reason: 'asked' };
      expect(stub.asked[0]!.body).to.deep.equal(asked);
      const look = 'GET /erasures/era_1';
      expect(requests()).to.deep.equal(['POST /erasures', look, look]);
      expect(stdout).to.match(/^state: +done$/m);
      expect(stdout).to.match(/^found: +3 events, 2 messages, 1 conversations, 0 runs of bots/m);
    });
    it('shows what waits for another administrator, and waits for nothing', async () => {
      const approval = { id: 'apr_1', state: 'waiting', expiresAt: '2026-11-22T12:00:00.000Z' };
      stub.answers({ status: 202, body: { approval } });
      const { stdout } = await answered(0, run('erase 919812345678'));
      expect(stdout).to.match(/^id: +apr_1$/m);
      expect(requests()).to.deep.equal(['POST /erasures']);
    });
    it('does the same for a person who signs in', async () => {
      stub.answers(({ method }) => ({ status: method === 'POST' ? 202 : 200, body: done }));
      const { stdout } = await answered(0, stub.run('person erase per_1 --reason Left'));
      expect(stub.asked[0]!.body).to.deep.equal({ reason: 'Left' });
      expect(requests()).to.deep.equal(['POST /people/per_1/erase']);
      expect(stdout).to.match(/^state: +done$/m);
    });
    it('shows the answer of the API with --json', async () => {
      stub.answers({ status: 202, body: done });
      const { stdout } = await run('erase 919812345678 --json');
      expect(JSON.parse(stdout)).to.deep.equal(done);
    });
  });

  describe('export', () => {
    const held = { contact: '919812345678', accounts: [] };

    it('prints the JSON of the API', async () => {
      stub.answers({ body: held });
      const { status, stdout } = await run('export 919812345678 --account a1');
      expect({ status, stdout }).to.deep.equal({ status: 0, stdout: `${JSON.stringify(held)}\n` });
      expect(stub.asked[0]!.query).to.deep.equal({ accountId: 'a1' });
      expect(requests()).to.deep.equal(['GET /contacts/919812345678/export']);
    });
    it('writes a file that only its owner reads', async () => {
      stub.answers({ body: held });
      const file = join(folder.path, 'held.json');
      const { status, stdout } = await run(`export 919812345678 --out ${file}`);
      expect({ status, stdout }).to.deep.equal({ status: 0, stdout: `Written to ${file}\n` });
      expect(JSON.parse(readFileSync(file, 'utf8'))).to.deep.equal(held);
      expect(statSync(file).mode & 0o777).to.equal(0o600);
    });
    it('leaves no file of an answer that ends early, or is a refusal', async () => {
      const file = join(folder.path, 'part.json');
      for (const answer of [
        { headers: { 'content-length': '100000', connection: 'close' }, body: '{"contact":' },
        { status: 404, body: { error: 'Account not found', code: 'NOT_FOUND' } },
      ]) {
        stub.answers(answer);
        const { stderr } = await answered(1, run(`export 919812345678 --out ${file}`));
        expect(stderr).to.match(/^error: /);
        expect(existsSync(file)).to.equal(false);
        expect(readdirSync(folder.path).join()).not.to.include('part');
      }
    });
  });
});
