import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Command } from 'commander';
import { createLocalAct } from '../program/context.ts';
import { withExtra } from '../program/help.ts';
import { gathered, wholeNumber } from '../program/input.ts';
import type { Io } from '../program/io.ts';
import { reported } from './books.ts';

interface Options {
  data: string;
  host: string;
  port: number;
  name?: string;
  log: readonly string[];
}

/** Runs until Ctrl-C or SIGTERM. */
const run = async (
  io: Io,
  { data, host, port, name, log }: Options,
  ready: (at: string, key: string) => void,
) => {
  const { parseVerifierKey } = await import('../../audit/seals/note.ts');
  const { openWitnessAlone } = await import('../../audit/offline-witness.ts');
  const { serveWitness } = await import('../../audit/witness/server.ts');
  const logs = log.map(parseVerifierKey);
  const witness = openWitnessAlone({ folder: data, name, logs, clock: { now: io.now } });
  const server = serveWitness(witness);
  try {
    server.listen(port, host);
    await once(server, 'listening');
    const { port: bound } = server.address() as AddressInfo;
    ready(`http://${host.includes(':') ? `[${host}]` : host}:${bound}`, witness.verifierKey);
    const signal = io.interrupted();
    if (!signal.aborted) await once(signal, 'abort');
  } finally {
    server.close();
    server.closeAllConnections();
    witness.close();
  }
};

/** `waybill witness` */
export const addWitness = (program: Command, io: Io): void => {
  const command = program
    .command('witness')
    .description('Witness the logs of others: sign each checkpoint that goes on from the last one')
    .helpGroup('Money:')
    .requiredOption('--data <dir>', 'Where its key and the last checkpoints are kept')
    .requiredOption(
      '--log <key>',
      'Verifier key of a log (waybill ledger key); may be given several times',
      gathered,
    )
    .option('--port <port>', 'Where it listens; 0 takes a free port', wholeNumber(0, 65_535), 8090)
    .option('--host <address>', 'Address on which it listens', '127.0.0.1')
    .option('--name <name>', 'Name of a new witness, such as witness.example/w1')
    .action(
      createLocalAct(io)(async ({ out }, options: Options) => {
        await reported(() =>
          run(io, options, (at, key) =>
            out.done({ url: at, key }, `${key}\nThe witness listens at ${at}`),
          ),
        );
      }),
    );
  withExtra(command, {
    examples: ['witness --data ./witness --port 8090 --log "$(waybill ledger key)"'],
  });
};
