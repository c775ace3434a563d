import type { Command } from 'commander';
import type { Config } from '../../config.ts';
import { printable } from '../../shared/printable.ts';
import { NoAnswer } from '../doctor/ask.ts';
import { type Checks, type Finding, failed, skipped } from '../doctor/check.ts';
import { checkMachine, readSettings } from '../doctor/machine.ts';
import { checkService, type Target } from '../doctor/service.ts';
import { checkTenants } from '../doctor/tenants.ts';
import { createLocalAct } from '../program/context.ts';
import { CliError } from '../program/failure.ts';
import { withExtra } from '../program/help.ts';
import type { Io } from '../program/io.ts';
import { type Connection, type GlobalOptions, readConnection } from '../program/settings.ts';
import { counted } from './ledger-verify.ts';

interface DoctorOptions extends GlobalOptions {
  account?: string;
  remote?: boolean;
}

/** As in the settings of the service. */
const DEFAULT_PROVIDER_URL = 'https://graph.facebook.com';

/** Longest name of a check. */
const NAME_WIDTH = 20;
const SIGNS = { ok: 'ok     ', failed: 'FAILED ', skipped: '-      ' } as const;

const linesOf = ({ name, about, state, detail, remedy }: Finding): string => {
  const subject = about === undefined ? '' : `${about}: `;
  const first = `${SIGNS[state]}${name.padEnd(NAME_WIDTH)} ${subject}${detail}`;
  const lines = remedy === undefined ? [first] : [first, `       -> ${remedy}`];
  return lines.map((line) => `${printable(line)}\n`).join('');
};

const tokenOf = (connection: Connection): string => {
  try {
    return connection.credential('admin')?.text ?? '';
  } catch (error) {
    // The check of the token says that there is none that can be sent.
    if (!(error instanceof CliError)) throw error;
    return '';
  }
};

/** Without an address, that of the service with these settings. */
const targetOf = (options: DoctorOptions, io: Io, config: Config | undefined): Target => {
  const connection = readConnection(options, io.env);
  const isNamed = (options.url ?? connection.profile) !== undefined || io.env.WAYBILL_URL;
  const url = config && !isNamed ? `http://127.0.0.1:${config.port}/api` : connection.url;
  const given = config?.provider.url ?? io.env.WAYBILL_PROVIDER_URL;
  const providerUrl = (given || DEFAULT_PROVIDER_URL).replace(/\/+$/, '');
  return { url, token: tokenOf(connection), config, providerUrl, now: io.now };
};

async function* examine(options: DoctorOptions, io: Io): Checks {
  const { config, findings } = options.remote
    ? { findings: [skipped({ name: 'settings' }, 'not those of this machine')] }
    : readSettings(io.env);
  yield* findings;
  yield* checkMachine(config);
  const target = targetOf(options, io, config);
  try {
    const isOpen = yield* checkService(target);
    if (isOpen) yield* checkTenants(target, options.account);
    else yield skipped({ name: 'accounts' }, 'the service cannot be asked');
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    const remedy = 'Look into the log of the service, then ask again.';
    yield failed({ name: 'service' }, `it stopped to answer: ${error.message}`, remedy);
  }
}

/** `waybill doctor`: what keeps a service from sending, and what to do about it. */
export const addDoctor = (program: Command, io: Io): void => {
  const command = program
    .command('doctor')
    .description('Check settings, stores, provider, webhook, numbers; say what to do')
    .helpGroup('Operation:')
    .option('--account <id>', 'Only this account and its numbers (default: the newest 100)')
    .option('--remote', 'The service runs elsewhere: leave out settings and stores of this machine')
    .action(
      createLocalAct(io)(async ({ out }, _: unknown) => {
        const options = command.optsWithGlobals<DoctorOptions>();
        const findings: Finding[] = [];
        for await (const finding of examine(options, io)) {
          findings.push(finding);
          if (!out.isJson) io.stdout.write(linesOf(finding));
        }
        const bad = findings.filter(({ state }) => state === 'failed').length;
        const sentence = `${counted(findings.length, 'check')}, ${bad} failed.`;
        out.done({ ok: bad === 0, checks: findings }, sentence);
        if (bad > 0) throw new CliError(`${counted(bad, 'check')} failed`);
      }),
    );
  withExtra(command, {
    examples: ['doctor', 'doctor --json', 'doctor --remote --url https://messages.example.com/api'],
    environment: [
      ['WAYBILL_…', 'The settings of the service'],
      ['WAYBILL_URL', 'Its public address, to check the proxy too'],
    ],
  });
};
