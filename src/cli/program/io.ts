import { styleText } from 'node:util';

/** What a run of the program may touch of the world around it. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
  now(): number;
  uuid(): string;
}

/** Colours are for people at a terminal who did not refuse them (https://no-color.org). */
export const hasColours = (stream: NodeJS.WriteStream, env: Io['env']): boolean =>
  stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';

/** Columns of a terminal; undefined when the stream is none, so that nothing gets cut. */
export const widthOf = (stream: NodeJS.WriteStream): number | undefined =>
  stream.isTTY ? stream.columns || undefined : undefined;

/** How every message of a failed run begins. */
export const errorPrefix = ({ stderr, env }: Io): string =>
  hasColours(stderr, env) ? styleText('red', 'error:', { validateStream: false }) : 'error:';
