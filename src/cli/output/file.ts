import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import type { Io } from '../program/io.ts';

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

/** Waits while the reader of standard output is slower. */
export const print = async ({ stdout }: Pick<Io, 'stdout'>, text: string | Uint8Array) => {
  if (stdout.write(text)) return;
  await new Promise((resolve) => stdout.once('drain', resolve));
};

/** Where a command writes when its user names no file. */
export const STANDARD_OUTPUT = '-';

/** Writes a file, or to standard output. */
export const writeOut = async (
  io: Pick<Io, 'stdout'>,
  file: string,
  content: AsyncIterable<string | Uint8Array>,
): Promise<void> => {
  if (file !== STANDARD_OUTPUT) return writeFile(file, content);
  for await (const part of content) await print(io, part);
};
