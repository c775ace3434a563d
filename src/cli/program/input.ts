import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import { spanOf } from '../../shared/span.ts';
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

// Option parsers for commander, which names the option when one throws InvalidArgumentError.

export const wholeNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
    throw new InvalidArgumentError(`Must be a whole number, ${range}.`);
  };

export type Cap = number | 'none';

/** A cap, or `none` to remove it; commander would take null for no value. */
export const cap = (text: string): Cap => {
  if (text.toLowerCase() === 'none') return 'none';
  if (/^\d{1,10}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Must be a whole number, or "none" to uncap.');
};

/** The cap as the API takes it: null for none, undefined for no change. */
export const capOf = (given: Cap | undefined): number | null | undefined =>
  given === 'none' ? null : given;

/** For an option that may be given several times. */
export const gathered = (text: string, earlier: readonly string[] | undefined): string[] => [
  ...(earlier ?? []),
  text,
];

export const oneOf =
  <const Choices extends readonly string[]>(choices: Choices) =>
  (text: string): Choices[number] => {
    const found = choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
    if (found !== undefined) return found;
    throw new InvalidArgumentError(`Must be one of ${choices.join(', ')}.`);
  };

/** A span of time in milliseconds, such as `6h`. */
export const duration =
  (leastMs: number) =>
  (text: string): number => {
    const spanMs = spanOf(text);
    if (spanMs !== undefined && spanMs >= leastMs) return spanMs;
    throw new InvalidArgumentError('Must be a time such as 30m, 6h or 1d.');
  };

const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,9})?)?)?(?: ?(Z|UTC|[+-]\d\d:\d\d))?$/i;

const isDay = (year: number, month: number, day: number): boolean =>
  month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate();

/**
 * Reads a time to ISO 8601: a day or a time, in UTC unless it names another offset and as our tables
 * print it, or a span such as `7d`, back or forward from now.
 */
export const time =
  (now: () => number, direction: 'back' | 'forward' = 'back') =>
  (text: string): string => {
    const spanMs = spanOf(text);
    if (spanMs !== undefined) {
      return new Date(now() + (direction === 'back' ? -spanMs : spanMs)).toISOString();
    }
    const [, year, month, day, clock = '00:00', seconds = ':00', zone = 'Z'] =
      TIME.exec(text) ?? [];
    const offset = /^(z|utc)$/i.test(zone) ? 'Z' : zone;
    const at = Date.parse(`${year}-${month}-${day}T${clock}${seconds}${offset}`);
    if (!Number.isNaN(at) && isDay(Number(year), Number(month), Number(day))) {
      return new Date(at).toISOString();
    }
    const span = direction === 'back' ? '7d (ago)' : '90d (from now)';
    throw new InvalidArgumentError(`Must be a time such as 2026-11-21T12:00:00Z, or ${span}.`);
  };
