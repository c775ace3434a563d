import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A fresh folder under the system's temporary one, and how to be rid of it. */
export const temporaryFolder = (): { path: string; remove(): void } => {
  const path = mkdtempSync(join(tmpdir(), 'waybill-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
};
