import { parseArgs } from 'node:util';

export interface DemoSettings {
  json: boolean;
  help: boolean;
  /** As it was chosen; undefined for the usual one. */
  port: string | undefined;
  /** The folder that keeps everything; undefined for a temporary one. */
  data: string | undefined;
}

/** The port of the service where none is chosen. */
export const DEFAULT_PORT = '8080';

export const DEMO_HELP = `\
Usage: waybill demo [options]

Start the service with a simulated provider, and send a message. It keeps
everything in a temporary directory, which Ctrl-C removes.

Options:
  --data <dir>   Keep everything in this directory instead, and go on with it at
                 the next start
  --port <port>  Port of the service, 0 for a free one (default: ${DEFAULT_PORT}, or a
                 free one where that is taken)
  --json         Print one line of JSON with addresses, credentials and ids
  -h, --help     Show this help

Environment:
  PORT, HOST     Where it listens; --port wins over PORT
  LOG_LEVEL      What is logged to standard error: warn, info or debug

Examples:
  waybill demo
  waybill demo --port 9000
  waybill demo --data ./demo
  waybill demo --json > demo.json
`;

/** Throws an error in words for a wrong command line. */
export const readDemoSettings = (
  words: readonly string[],
  env: NodeJS.ProcessEnv,
): DemoSettings => {
  const { values } = parseArgs({
    args: [...words],
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
      port: { type: 'string' },
      data: { type: 'string' },
    },
  });
  const { json, help, data, port = env.PORT || undefined } = values;
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535)) {
    throw new Error(`The port must be a whole number from 0 to 65535, not ${port}`);
  }
  return { json, help, port, data };
};
