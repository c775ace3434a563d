import { CommanderError } from 'commander';
import { CliError } from './failure.ts';
import { errorPrefix, type Io } from './io.ts';
import { createProgram } from './program.ts';

const USAGE = 2;

/** Runs one command line, without the name of the program. Resolves to the exit status. */
export const run = async (args: readonly string[], io: Io): Promise<number> => {
  try {
    await createProgram(io).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    // Commander has written its own message, or the help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    const prefix = errorPrefix(io);
    if (error instanceof CliError) {
      io.stderr.write(`${prefix} ${error.message}\n`);
      return error.exitStatus;
    }
    const fault = error instanceof Error ? error.stack : String(error);
    io.stderr.write(`${prefix} This is a bug in waybill\n${fault}\n`);
    return 1;
  }
};
