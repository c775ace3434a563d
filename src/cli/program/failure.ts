/** 1: it was tried and refused, or could not be tried. 2: the command line itself is wrong. */
type ExitStatus = 1 | 2;

/** Ends the run: the message goes to standard error as it stands, the status to the shell. */
export class CliError extends Error {
  readonly exitStatus: ExitStatus;

  constructor(message: string, exitStatus: ExitStatus = 1, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'CliError';
    this.exitStatus = exitStatus;
  }
}

export const usageError = (message: string): CliError => new CliError(message, 2);

/** The code of a system error, such as `ENOENT`, or its message. */
export const codeOf = (error: unknown): string => {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return String(typeof code === 'string' ? code : message);
};
