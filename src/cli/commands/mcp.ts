import type { Command } from 'commander';
import type { McpOptions } from '../mcp/server.ts';
import { createAct } from '../program/context.ts';
import { withExtra } from '../program/help.ts';
import { wholeNumber } from '../program/input.ts';
import type { Io } from '../program/io.ts';

/** `waybill mcp`, with the API key of an account. */
export const addMcp = (program: Command, io: Io): void => {
  const command = program
    .command('mcp')
    .description('Serve an account to an assistant, over the Model Context Protocol')
    .helpGroup('Messages:')
    .option('--allow-send', 'Let it send what it quoted before; else it reads alone')
    .option('--daily-max <n>', 'Messages that it may send in a UTC day', wholeNumber(1, 1_000), 20)
    .option('--allow-anyone', 'Let it send to others than the contacts of the account')
    .action(
      createAct(
        io,
        'key',
      )(async (context, options: McpOptions) => {
        // Loaded late: other commands are quicker without it.
        const { serveMcp } = await import('../mcp/server.ts');
        await serveMcp(context, options);
      }),
    );
  withExtra(command, {
    examples: ['mcp', 'mcp --allow-send --daily-max 5'],
  });
};
