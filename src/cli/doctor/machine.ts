import { type Config, ConfigError, loadConfig } from '../../config.ts';
import { freeBytesOn } from '../../shared/files.ts';
import { createSecrets } from '../../shared/secrets.ts';
import { codeOf } from '../program/failure.ts';
import type { Io } from '../program/io.ts';
import { ask, NoAnswer } from './ask.ts';
import { type Checks, type Finding, failed, ok, skipped } from './check.ts';

// What needs no running service: settings, stores, disk.

/** Below it the log soon cannot grow, and no send is accepted. */
const FREE_BYTES_MIN = 1024 ** 3;

/** The settings, or what is wrong with them. */
export const readSettings = (env: Io['env']): { config?: Config; findings: Finding[] } => {
  const told = { name: 'settings' };
  try {
    const config = loadConfig(env);
    return { config, findings: [ok(told, 'all settings are valid')] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy =
      'Set it in the environment of the service, and run this with the same environment; ' +
      'docs/running.md lists all settings.';
    return { findings: error.problems.map((problem) => failed(told, problem, remedy)) };
  }
};

const lookAtLog = async ({ servers, dataDirectory }: Config) => {
  const { lookAtDirectory, lookAtEventStore } = await import('../../audit/offline-stores.ts');
  return servers ? lookAtEventStore(servers.eventStoreUrl) : lookAtDirectory(dataDirectory);
};

/** The oldest EventStoreDB that the service is tested with. */
const EVENTSTORE_MIN = [23, 10] as const;

/** The version of the first server of the URL; nothing where the server does not show it. */
export async function* checkEventStore(url: string): Checks {
  const [, host = ''] = /^esdb(?:\+discover)?:\/\/(?:[^@/]*@)?([^,/?]+)/.exec(url) ?? [];
  const scheme = /[?&]tls=false/i.test(url) ? 'http' : 'https';
  try {
    const { body } = await ask(`${scheme}://${host}/info`);
    const [, major, minor] = /^(\d+)\.(\d+)/.exec(String(body.esVersion)) ?? [];
    if (major === undefined) return;
    const told = { name: 'log' };
    const isOld =
      Number(major) < EVENTSTORE_MIN[0] ||
      (Number(major) === EVENTSTORE_MIN[0] && Number(minor) < EVENTSTORE_MIN[1]);
    const detail = `EventStoreDB ${body.esVersion}`;
    yield isOld
      ? failed(told, detail, `Upgrade it to ${EVENTSTORE_MIN.join('.')} or later.`)
      : ok(told, detail);
  } catch (error) {
    // With users, or behind another port, it need not tell.
    if (!(error instanceof NoAnswer)) throw error;
  }
}

async function* checkLog(config: Config): Checks {
  const { servers, dataDirectory, secret, previousSecret } = config;
  const secrets = { name: 'secret' };
  let seen: Awaited<ReturnType<typeof lookAtLog>>;
  try {
    seen = await lookAtLog(config);
  } catch (error) {
    const remedy = servers
      ? 'Start EventStoreDB, and check EVENTSTORE_URL: host, port, user, tls.'
      : `Let the user of the service read and write ${dataDirectory} and its files, or set WAYBILL_DATA; a damaged file: waybill restore.`;
    const why = servers ? codeOf(error) : `the log cannot be read: ${codeOf(error)}`;
    yield failed({ name: 'log' }, why, remedy);
    return yield skipped(secrets, 'the log cannot be read');
  }
  yield ok({ name: 'log' }, seen.detail);
  if (servers) yield* checkEventStore(servers.eventStoreUrl);
  const { installation } = seen;
  if (!installation)
    return yield ok(secrets, 'the log is new: the first start binds it to the secret');
  const { installationId, secretCheck } = installation;
  const isOf = (one: Buffer) => createSecrets(one).checkOf(installationId) === secretCheck;
  // The next start takes the log over from the previous one.
  const isOurs = isOf(secret) || (previousSecret !== null && isOf(previousSecret));
  yield isOurs
    ? ok(secrets, 'the log was written with this WAYBILL_SECRET')
    : failed(
        secrets,
        'the log was written with another WAYBILL_SECRET',
        'Set the earlier secret again, from its backup. If it is lost, read "WAYBILL_SECRET_LOST" in docs/running.md first.',
      );
}

async function* checkMongo(url: string): Checks {
  const told = { name: 'read models' };
  try {
    const { lookAtMongo } = await import('../../audit/offline-stores.ts');
    yield ok(told, (await lookAtMongo(url)).detail);
  } catch (error) {
    const remedy = 'Start MongoDB, and check MONGODB_URL: host, port, user, replica set, tls.';
    yield failed(told, `MongoDB cannot be asked: ${(error as Error).message}`, remedy);
  }
}

async function* checkDisk(dataDirectory: string, free: typeof freeBytesOn): Checks {
  const told = { name: 'disk' };
  const bytes = await free(dataDirectory);
  const detail = `${(bytes / FREE_BYTES_MIN).toFixed(1)} GiB are free for ${dataDirectory}`;
  yield bytes >= FREE_BYTES_MIN
    ? ok(told, detail)
    : failed(told, detail, 'Free at least 1 GiB there, or move WAYBILL_DATA to a larger disk.');
}

/** Node is new enough, else this program would not have started. */
const checkNode = (): Finding => ok({ name: 'node' }, `Node.js ${process.version}`);

/** `free` replaces the system's answer in tests. */
export async function* checkMachine(config: Config | undefined, free = freeBytesOn): Checks {
  yield checkNode();
  if (!config) return;
  yield* checkLog(config);
  const { servers, dataDirectory } = config;
  yield* servers ? checkMongo(servers.mongoUrl) : checkDisk(dataDirectory, free);
}
