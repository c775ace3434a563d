import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A fresh folder under the system's temporary one, and how to be rid of it. */
export const temporaryFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'waybill-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};

/** A fresh folder for all tests of a suite, removed after them. */
export const folderInSuite = (): { readonly path: string } => {
  const folder = temporaryFolder();
  after(() => folder.remove());
  return folder;
};

/** A fresh folder for each test of a suite. */
export const folderInEachTest = (): { readonly path: string } => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());
  return {
    get path() {
      return folder.path;
    },
  };
};
