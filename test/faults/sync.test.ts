import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { buildFailingFsync } from '../support/failing-fsync.ts';
import { type Child, killChildren } from '../support/faults/child.ts';
import { openCrashes } from '../support/faults/crash.ts';
import { folderInSuite } from '../support/folder.ts';
import { inEachTest } from '../support/in-suite.ts';
import { useRealConnections } from '../support/network.ts';
import { notify } from '../support/surface.ts';
import type { Tenant } from '../support/waybill.ts';

describe('a disk that syncs badly @long', () => {
  useRealConnections();
  const workshop = folderInSuite();
  let tenant: Tenant;
  let child: Child;
  let env: Record<string, string>;
  before(function () {
    const library = buildFailingFsync(workshop.path) ?? this.skip();
    env = { LD_PRELOAD: library, FSYNC_FAILS_IF: file('fails'), FSYNC_WAITS_IF: file('waits') };
  });
  afterEach(() => {
    for (const name of ['fails', 'waits']) rmSync(file(name), { force: true });
  });
  const crashes = inEachTest(openCrashes);
  beforeEach(async () => {
    child = await crashes.start({ env });
    tenant = await crashes.tenant();
    expect((await send()).status).to.equal(200);
  });

  const file = (name: string) => join(workshop.path, name);
  const send = () => notify(crashes, tenant);
  const credits = () => crashes.balance(tenant);

  it('row 17: syncing fails: sends are refused, the process ends, the next one reads the truth @series', async () => {
    writeFileSync(file('fails'), '');
    const sending = Array.from({ length: 10 }, () =>
      send().then(
        ({ status }) => status,
        () => 'gone',
      ),
    );
    for (const outcome of await Promise.all(sending)) expect(outcome).to.be.oneOf([503, 'gone']);
    expect(crashes.simulator.sends()).to.have.length(1);
    expect(await child.ended).not.to.equal(0);
    expect(child.output()).to.match(/cannot be written/);
    // What the kernel says of its pages now is no proof of what the disk holds: it is read again.
    rmSync(file('fails'));
    await crashes.start({ env });
    expect(await credits()).to.be.within(1000 - 11, 1000 - 1);
    expect((await send()).status).to.equal(200);
    await killChildren();
    expect(await crashes.inspect(0, undefined, { mayBeOpen: true })).to.deep.equal([]);
  });

  it('row 18: a slow disk holds up what it is to write, and nothing else @series', async () => {
    writeFileSync(file('waits'), '');
    let answered = 0;
    const sending = Promise.all(
      Array.from({ length: 50 }, async () => {
        const answer = await send();
        answered += 1;
        return answer.status;
      }),
    );
    for (let round = 0; round < 20; round += 1) {
      expect(await credits()).to.equal(999);
      expect((await fetch(`${child.url}/health/live`)).status).to.equal(200);
    }
    expect(answered, 'nothing is answered before it is on the disk').to.equal(0);
    expect(crashes.simulator.sends(), 'nothing is sent before it is on the disk').to.have.length(1);
    rmSync(file('waits'));
    for (const status of await sending) expect(status).to.equal(200);
    expect(await credits()).to.equal(1000 - 51);
    expect(await child.stop()).to.equal(0);
    expect(await crashes.inspect(0)).to.deep.equal([]);
  });
});
