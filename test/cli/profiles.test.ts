import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { answered } from '../support/answered.ts';
import { folderInEachTest } from '../support/folder.ts';
import { runHere, TOKEN, useStub } from './support.ts';

const API_KEY = 'wb_live_key-of-the-tests';

describe('waybill login', () => {
  const [stub, other] = [useStub(), useStub()];
  const folder = folderInEachTest();
  beforeEach(() => {
    stub.answers({ body: { organisations: [], accounts: [], messages: [], nextCursor: null } });
    other.answers({ body: { organisations: [], accounts: [], nextCursor: null } });
  });

  const file = () => join(folder.path, 'waybill/credentials.json');
  const run = (line: string, env: Record<string, string> = {}, stdin = '') =>
    runHere(line, { env: { XDG_CONFIG_HOME: folder.path, ...env }, stdin });
  const logIn = (name = 'default') =>
    run(`login --profile ${name} --url ${stub.url} --token-file -`, {}, `${TOKEN}\n`);
  const tokensAsked = () => stub.asked.map(({ headers }) => headers.authorization);

  it('stores a credential that the service knows, for its owner alone, and prints none', async () => {
    const { stderr, ...ended } = await logIn();
    const stdout = `Stored for ${stub.url} as profile default: administrator token\n`;
    expect(ended).to.deep.equal({ status: 0, stdout });
    expect(stderr).to.not.include(TOKEN);
    expect(statSync(file()).mode & 0o777).to.equal(0o600);
    expect(statSync(join(folder.path, 'waybill')).mode & 0o777).to.equal(0o700);
    expect((await run('account list')).status).to.equal(0);
    expect(tokensAsked()).to.deep.equal([`Bearer ${TOKEN}`, `Bearer ${TOKEN}`]);
    const listed = await run('profile list --json');
    expect(listed.stdout).to.not.include(TOKEN);
    expect(JSON.parse(listed.stdout).profiles).to.deep.equal([
      { name: 'default', url: stub.url, adminToken: true, apiKey: false, used: true },
    ]);
  });

  it('takes address, token and key of the variables where no option names an address', async () => {
    const env = { WAYBILL_URL: stub.url, WAYBILL_ADMIN_TOKEN: TOKEN, WAYBILL_API_KEY: API_KEY };
    expect((await run('login --profile shop', env)).status).to.equal(0);
    expect(tokensAsked()).to.deep.equal([`Bearer ${TOKEN}`, `Bearer ${API_KEY}`]);
    expect((await run('message find --profile shop')).status).to.equal(0);
    expect(stub.asked.at(-1)).to.include({ path: '/api/v1/messages' });
    expect(await run(`login --profile other --url ${other.url}`, env)).to.include({ status: 2 });
    expect(other.asked, 'no credential went to the other address').to.deep.equal([]);
  });

  it('stores nothing that the service refuses', async () => {
    stub.answers({ status: 401, body: { error: 'Unauthorized' } });
    expect(await logIn()).to.deep.equal({
      status: 1,
      stdout: '',
      stderr:
        'error: The administrator token was not stored: Unauthorized (it was the administrator token of this login)\n',
    });
    expect(existsSync(file())).to.equal(false);
    expect((await run(`login --url ${stub.url}`)).stderr).to.match(/^error: Nothing to store/);
  });

  it('keeps a key whose scopes do not include the read that tries it', async () => {
    stub.answers({ status: 403, body: { error: 'No', code: 'INSUFFICIENT_SCOPE' } });
    const line = `login --url ${stub.url} --api-key-file -`;
    expect(await run(line, {}, API_KEY)).to.include({ status: 0 });
  });

  it('gives a profile way to variables, and these to options', async () => {
    await logIn('first');
    await run(`login --profile second --url ${other.url} --token-file -`, {}, 'second-token');
    other.asked.length = 0;
    const named = { WAYBILL_PROFILE: 'second' };
    await run('account list', named);
    await run('account list --profile first', named);
    await run('account list', { ...named, WAYBILL_URL: other.url, WAYBILL_ADMIN_TOKEN: 'third' });
    const variables = { WAYBILL_URL: stub.url, WAYBILL_ADMIN_TOKEN: TOKEN };
    await run('account list --profile second', variables);
    await run('account list --profile second --token fourth', variables);
    expect(other.asked.map(({ headers }) => headers.authorization)).to.deep.equal(
      ['second-token', 'third', 'second-token', 'fourth'].map((token) => `Bearer ${token}`),
    );
    expect(tokensAsked()).to.have.length(2);
  });

  it('sends the credentials of a profile to its own address alone', async () => {
    await logIn();
    const { stderr } = await answered(2, run(`account list --url ${other.url}`));
    expect(stderr).to.match(/^error: No administrator token for http\S+ in the profile default: /);
    expect(other.asked).to.deep.equal([]);
  });

  it('is undone by logout', async () => {
    await logIn();
    await logIn('staging');
    expect(await run('logout')).to.include({ status: 0 });
    const stderr = 'error: There is no profile default\n';
    expect(await run('logout')).to.deep.equal({ status: 2, stdout: '', stderr });
    expect(readFileSync(file(), 'utf8')).to.include('staging').and.not.include('default');
    const gone = await run('account list --profile default');
    expect(gone.stderr).to.match(/^error: There is no profile default: waybill login --profile/);
  });

  it('refuses a file that others can read, one that is damaged, and a strange name', async () => {
    await logIn();
    chmodSync(file(), 0o644);
    const { stderr: open } = await run('account list');
    expect(open).to.match(/^error: Others can use the tokens in .*: chmod/);
    chmodSync(file(), 0o600);
    writeFileSync(file(), '{');
    const { stderr: damaged } = await run('account list');
    expect(damaged).to.match(/is damaged: remove it, and log in again\n$/);
    expect(await logIn('../x')).to.include({ status: 2 });
    const env = { XDG_CONFIG_HOME: '', WAYBILL_URL: stub.url, WAYBILL_API_KEY: 'k' };
    const stderr = 'error: No place for profiles: set HOME or XDG_CONFIG_HOME\n';
    expect(await run('login', env)).to.include({ status: 2, stderr });
  });
});
