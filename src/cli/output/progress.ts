import type { Io } from '../program/io.ts';

/** Tells on standard error how far a long run is. */
export interface ProgressLine {
  /** `fraction` is between 0 and 1, where it is known. */
  show(text: string, fraction?: number): void;
  /** Takes the line away, so that what comes next stands alone. */
  end(): void;
}

const TERMINAL_EVERY_MS = 100;
const PIPE_EVERY_MS = 5000;
const BAR_WIDTH = 24;

const bar = (fraction: number): string => {
  const filled = Math.round(BAR_WIDTH * Math.min(1, Math.max(0, fraction)));
  return `[${'#'.repeat(filled)}${'.'.repeat(BAR_WIDTH - filled)}] `;
};

/** A bar at a terminal, a plain line now and then elsewhere, nothing for a program that reads JSON. */
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
