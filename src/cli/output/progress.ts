import type { Io } from '../program/io.ts';

/** Shows the progress of a long run on standard error. */
export interface ProgressLine {
  /** `fraction` goes from 0 to 1; undefined draws no bar. */
  show(text: string, fraction?: number): void;
  /** Clears the line. */
  end(): void;
}

const TERMINAL_EVERY_MS = 100;
const PIPE_EVERY_MS = 5000;
const BAR_WIDTH = 24;

const bar = (fraction: number): string => {
  const filled = Math.round(BAR_WIDTH * Math.min(1, Math.max(0, fraction)));
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] `;
};

/** Draws a bar at a terminal, and elsewhere a line every 5 s. */
export const createProgress = (io: Io, { quiet }: { quiet: boolean }): ProgressLine => {
  const isTerminal = io.stderr.isTTY === true;
  const everyMs = isTerminal ? TERMINAL_EVERY_MS : PIPE_EVERY_MS;
  let shownAt = io.now();
  let isShown = false;
  return {
    show(text, fraction) {
      if (quiet || io.now() - shownAt < everyMs) return;
      shownAt = io.now();
      isShown = true;
      const line = `${fraction === undefined ? '' : bar(fraction)}${text}`;
      io.stderr.write(isTerminal ? `\r\u001b[K${line}` : `${line}\n`);
    },
    end() {
      if (isShown && isTerminal) io.stderr.write('\r\u001b[K');
      isShown = false;
    },
  };
};
