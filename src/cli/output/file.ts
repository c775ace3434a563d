import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

/** Writes under another name first, so that a file under this name is whole. */
export const writeFile = async (
  file: string,
  content: AsyncIterable<string | Uint8Array>,
): Promise<void> => {
  const partial = `${file}.partial`;
  try {
    await pipeline(content, createWriteStream(partial, { mode: 0o600, flush: true }));
    await rename(partial, file);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
};
