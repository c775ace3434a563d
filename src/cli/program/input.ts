import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { CliError, codeOf } from './failure.ts';
import type { Io } from './io.ts';

const INPUT_BYTES_MAX = 1024 * 1024;

/** The lines of a file of any size. */
export async function* readLines(file: string): AsyncGenerator<string, void, void> {
  const input = createReadStream(file);
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${codeOf(error)}`, 1, error);
  } finally {
    input.destroy();
  }
}

/** Text of a file; `-` is standard input. */
export const readText = async (io: Io, file: string): Promise<string> => {
  const name = file === '-' ? 'standard input' : file;
  const stream = file === '-' ? io.stdin : createReadStream(file);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream) {
      chunks.push(Buffer.from(chunk));
      bytes += chunk.length;
      if (bytes > INPUT_BYTES_MAX) break;
    }
  } catch (error) {
    throw new CliError(`${name} cannot be read: ${codeOf(error)}`, 1, error);
  }
  if (bytes > INPUT_BYTES_MAX) throw new CliError(`${name} is larger than 1 MiB`);
  return Buffer.concat(chunks).toString('utf8');
};

/** Asks at the terminal, by default without an echo of the typed text. */
export const ask = (io: Io, prompt: string, { echo = false } = {}): Promise<string> => {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = echo ? io.stderr : silent;
  const line = createInterface({ input: io.stdin, output, terminal: true });
  if (echo) line.setPrompt(prompt);
  else io.stderr.write(prompt);
  if (echo) line.prompt();
  const typed = new Promise<string>((resolve, reject) => {
    line.once('line', resolve);
    line.once('close', () => reject(new CliError('Nothing was entered')));
  });
  return typed.finally(() => {
    line.close();
    if (!echo) io.stderr.write('\n');
  });
};

/**
 * Reads a secret from a file, or from standard input, with a prompt at a terminal. A command line is
 * no place for it: other users of the machine can read that.
 */
export const readSecret = async (io: Io, what: string, file = '-'): Promise<string> => {
  const fromTerminal = file === '-' && io.stdin.isTTY;
  const text = await (fromTerminal ? ask(io, `${what}: `) : readText(io, file));
  const secret = text.trim();
  if (secret === '') throw new CliError(`${what} is missing: the input is empty`);
  return secret;
};
