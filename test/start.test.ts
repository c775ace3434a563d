import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { isPortTaken, startProblem } from '../src/shared/start-problem.ts';
import { refusalHere } from './support/faults/here.ts';
import { temporaryFolder } from './support/folder.ts';
import { useRealConnections } from './support/network.ts';

describe('a start that cannot take its ports', () => {
  useRealConnections();
  let folder: ReturnType<typeof temporaryFolder>;
  const directory = () => join(folder.path, 'data');
  const refusal = (env: Record<string, string>) =>
    refusalHere({ directory: directory(), providerUrl: 'http://127.0.0.1:1', env });
  before(() => {
    folder = temporaryFolder();
  });
  after(() => folder.remove());

  it('names the one that is taken, and makes nothing', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    for (const name of ['PORT', 'WAYBILL_OPS_PORT']) {
      expect(await refusal({ [name]: String(port) })).to.equal(
        `waybill: Port ${port} of 127.0.0.1 is taken by another program: \n`,
      );
    }
    other.close();
    expect(existsSync(directory())).to.equal(false);
  });

  it('names a HOST that is no address of this machine', async () => {
    expect(await refusal({ HOST: '192.0.2.1' })).to.match(
      /^waybill: HOST=192\.0\.2\.1 is not an address of this machine: set HOST /,
    );
    expect(existsSync(directory())).to.equal(false);
  });

  it('says of a failure which setting to change', () => {
    const said = (failure: object) =>
      startProblem(Object.assign(new Error('bare'), failure), (port) => `free ${port}`);
    const listen = { syscall: 'listen', address: '127.0.0.1', port: 80 };
    const unnamed = { syscall: 'getaddrinfo', code: 'ENOTFOUND', hostname: 'here.invalid' };
    expect(said(unnamed)).to.match(/^HOST=here\.invalid has no address \(ENOTFOUND\): set HOST/);
    expect(said({ ...listen, code: 'EACCES' })).to.match(/^Port 80 of 127\.0\.0\.1 needs rights/);
    const taken = { ...listen, code: 'EADDRINUSE' };
    expect(said(taken)).to.match(/taken by another program: free 80$/);
    expect(isPortTaken(taken)).to.equal(true);
    expect(said({ ...listen, code: 'EOTHER' })).to.equal('bare');
    expect(said({})).to.equal('bare');
  });
});
