import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeDirectory } from '../../src/shared/files.ts';
import { folderInSuite } from '../support/folder.ts';

describe('a directory', () => {
  const folder = folderInSuite();

  it('is made with those above it, for its owner alone, and once', () => {
    const [first, last] = [join(folder.path, 'a'), join(folder.path, 'a', 'b', 'c')];
    expect(makeDirectory(last)).to.equal(first);
    expect([first, last].map((one) => statSync(one).mode & 0o777)).to.deep.equal([0o700, 0o700]);
    expect(makeDirectory(last)).to.equal(undefined);
  });

  it('that cannot be made, as under /proc, is an error that says what to do', function () {
    if (!existsSync('/proc/self')) this.skip();
    expect(() => makeDirectory('/proc/waybill/data')).to.throw(/cannot be made .*WAYBILL_DATA/);
  });
});
