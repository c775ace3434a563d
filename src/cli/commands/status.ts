import type { Command } from 'commander';
import type { Api } from '../api/api.ts';
import { ApiRefusal, transportFailure } from '../api/api-error.ts';
import { ask, NoAnswer } from '../doctor/ask.ts';
import { type Row, rowOf } from '../output/format.ts';
import type { Facts } from '../output/output.ts';
import { createLocalAct, openApi } from '../program/context.ts';
import { CliError } from '../program/failure.ts';
import { withExtra } from '../program/help.ts';
import type { Io } from '../program/io.ts';
import {
  type Access,
  type Connection,
  type GlobalOptions,
  readConnection,
} from '../program/settings.ts';

/** What a credential shows; its absence, or the reason why it shows nothing, in words. */
type Shown<T> = T | { missing: string };

const isMissing = (shown: Shown<unknown>): shown is { missing: string } =>
  typeof (shown as { missing?: unknown }).missing === 'string';

const look = async <T>(
  connection: Connection,
  access: Access,
  read: (api: Api) => Promise<T>,
): Promise<Shown<T>> => {
  if (!connection.credential(access)) {
    return { missing: access === 'admin' ? 'needs an administrator token' : 'needs an API key' };
  }
  const api = openApi(connection, access);
  try {
    return await read(api);
  } catch (error) {
    if (error instanceof ApiRefusal) return { missing: error.message.split('\n')[0]! };
    throw error;
  } finally {
    await api.close();
  }
};

/** The body of the page, also of a 503. Without a token that the service takes, it has no parts. */
const readHealth = async (url: string, token: string | undefined): Promise<Row> => {
  const page = `${url.replace(/\/api$/, '')}/health/ready`;
  const headers = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  const { status, body } = await ask(page, headers).catch((error: unknown) => {
    throw error instanceof NoAnswer ? transportFailure(error, { url }) : error;
  });
  if (typeof body.ok === 'boolean') return body;
  if (status === 401 && token !== undefined) return readHealth(url, undefined);
  throw new CliError(`${page} answered ${status} with something else: is it the right address?`);
};

const readVersion = async ({ url }: Connection): Promise<unknown> =>
  rowOf((await ask(`${url}/openapi.json`)).body.info).version ?? null;

/** When the newest movement happened; credits or wallet, an account moves one of them. */
const movedAt = ({ transactions }: Row): string =>
  String(rowOf(Array.isArray(transactions) ? transactions[0] : undefined).createdAt ?? '');

/** What the account has, in the unit that moved last. */
export const readBalance = async (api: Api): Promise<Row> => {
  const [credits, wallet] = await Promise.all([api.get<Row>('/credits'), api.get<Row>('/wallet')]);
  return movedAt(wallet) > movedAt(credits)
    ? { balance: wallet.balance, unit: wallet.currency }
    : { balance: credits.balance, unit: 'credits' };
};

/** Where the projection that is least behind has read the log up to. */
const positionOf = (rows: readonly Row[]): unknown =>
  rows.toSorted((one, other) => Number(one.lag) - Number(other.lag))[0]?.position;

const projectionsOf = (rows: readonly Row[]): string => {
  const states = Map.groupBy(rows, ({ state }) => String(state));
  const lag = Math.max(0, ...rows.map((row) => Number(row.lag) || 0));
  const counts = [...states].map(([state, { length }]) => `${length} ${state}`).join(', ');
  return `${counts}; at most ${(lag / 1000).toFixed(1)} s behind`;
};

const partText = (part: Row): string => {
  if (part.ok === true) return 'ok';
  const { detail } = part;
  return `NOT OK: ${typeof detail === 'string' ? detail : JSON.stringify(detail ?? 'no detail')}`;
};

const factsOf = ({ url, profile, version, health, balance, projections }: Row): Facts => {
  const { ok, checks } = rowOf(health);
  const parts = Object.entries(rowOf(checks));
  const list = projections as Shown<readonly Row[]>;
  const held = rowOf(balance);
  return [
    ['service', profile === null ? url : `${url} (profile ${profile})`],
    ['version', version],
    ['ready', ok],
    ...parts.map(([name, part]) => [`  ${name}`, partText(rowOf(part))] as const),
    ...(parts.length === 0 ? [['  parts', 'need an administrator token'] as const] : []),
    ['log position', isMissing(list) ? list.missing : positionOf(list)],
    ['projections', isMissing(list) ? list.missing : projectionsOf(list)],
    ...(isMissing(list) ? [] : list)
      .filter(({ state }) => state !== 'live')
      .map(
        ({ name, state, error }) =>
          [`  ${name}`, `${state} ${rowOf(error).message ?? ''}`] as const,
      ),
    ['balance', held.missing ?? `${held.balance} ${held.unit}`],
  ];
};

/** `waybill status`: one screen, of what the credentials at hand may see. */
export const addStatus = (program: Command, io: Io): void => {
  const command = program
    .command('status')
    .description('Show on one screen: readiness, version, log, projections, balance')
    .helpGroup('Operation:')
    .action(
      createLocalAct(io)(async ({ out }, _: unknown) => {
        const connection = readConnection(command.optsWithGlobals<GlobalOptions>(), io.env);
        const health = await readHealth(connection.url, connection.credential('admin')?.text);
        const [version, projections, balance] = await Promise.all([
          readVersion(connection),
          look(connection, 'admin', async (api) => {
            const { projections } = await api.get<{ projections: Row[] }>('/projections');
            return projections;
          }),
          look(connection, 'key', readBalance),
        ]);
        const { url, profile = null } = connection;
        out.one({ url, profile, version, health, projections, balance }, factsOf);
        if (health.ok !== true) throw new CliError('The service is not ready');
      }),
    );
  withExtra(command, { examples: ['status', 'status --profile staging', 'status --json'] });
};
