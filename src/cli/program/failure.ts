/** 1: the command failed. 2: the command line or a setting is wrong. */
type ExitStatus = 1 | 2;

/** Ends the run with this message on standard error and this exit status. */
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
