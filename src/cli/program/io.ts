import { styleText } from 'node:util';

/** The process around a run, injected so that tests can replace it. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  now(): number;
  uuid(): string;
  /** From the first call on, Ctrl-C aborts this signal in place of ending the process. */
  interrupted(): AbortSignal;
}

/** Whether to use colours: at a terminal, unless NO_COLOR refuses them (https://no-color.org). */
export const hasColours = (stream: NodeJS.WriteStream, env: Io['env']): boolean =>
  stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';

/** Columns of a terminal; undefined for a pipe or a file, where nothing is cut. */
export const widthOf = (stream: NodeJS.WriteStream): number | undefined =>
  stream.isTTY ? stream.columns || undefined : undefined;

/** The beginning of every error message. */
export const errorPrefix = ({ stderr, env }: Io): string =>
  hasColours(stderr, env) ? styleText('red', 'error:', { validateStream: false }) : 'error:';
