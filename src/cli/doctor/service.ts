import { createHmac } from 'node:crypto';
import type { Config } from '../../config.ts';
import { endOfVersion, livingVersions } from '../../provider/rules/versions.ts';
import { isoTime, SKEW_MAX_MS } from '../../shared/clock.ts';
import { type Row, rowOf } from '../output/format.ts';
import { version } from '../program/context.ts';
import { type Answer, ask, NoAnswer } from './ask.ts';
import { type Checks, type Finding, failed, ok, skipped } from './check.ts';

// What a running service and the provider answer without a number.

export interface Target {
  /** Root of the service, such as https://messages.example.com/api. */
  url: string;
  /** Of an administrator; empty when there is none. */
  token: string;
  /** Undefined when the settings are wrong, or are not on this machine. */
  config: Config | undefined;
  providerUrl: string;
  now: () => number;
}

/** The page of the service that is not below its root. */
const besideRoot = (url: string, path: string): string => url.replace(/\/api$/, '') + path;

/** Calls the administration API. */
export const askAdmin = (
  { url, token }: Target,
  path: string,
  method: 'GET' | 'POST' = 'GET',
): Promise<Answer> =>
  ask(`${url}/admin/v1${path}`, { method, headers: { authorization: `Bearer ${token}` } });

const checkLive = async ({ url }: Target): Promise<[Finding, Answer | undefined]> => {
  const told = { name: 'service' };
  const remedy = `Start the service, or give its address: --url or WAYBILL_URL. It was asked at ${url}.`;
  try {
    const answer = await ask(besideRoot(url, '/health/live'));
    if (answer.body.ok === true) return [ok(told, `the service answers at ${url}`), answer];
    return [
      failed(told, `something answered ${answer.status}, not the service`, remedy),
      undefined,
    ];
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return [failed(told, `the service does not answer: ${error.message}`, remedy), undefined];
  }
};

const SET_TOKEN = 'Set WAYBILL_ADMIN_TOKEN to the token of the service, or of an administrator.';

/** Each part that is not well. */
const checkReady = async ({ url, token }: Target): Promise<Finding[]> => {
  const told = { name: 'health' };
  const { body } = await ask(besideRoot(url, '/health/ready'), {
    headers: { authorization: `Bearer ${token}` },
  });
  if (typeof body.ok !== 'boolean') return [];
  const down = Object.entries(rowOf(body.checks))
    .map(([name, part]) => [name, rowOf(part)] as const)
    .filter(([, part]) => part.ok !== true)
    .map(([name, part]: readonly [string, Row]) =>
      failed(
        { ...told, about: name },
        `${name} does not work: ${typeof part.detail === 'string' ? part.detail : JSON.stringify(part.detail)}`,
        'docs/runbooks.md has a section for it, and the log of the service the cause.',
      ),
    );
  if (down.length > 0) return down;
  return [
    body.ok
      ? ok(told, 'all parts of the service work')
      : failed(told, 'it is not ready, and shows its parts to administrators alone', SET_TOKEN),
  ];
};

const checkVersion = async ({ url }: Target): Promise<Finding> => {
  const told = { name: 'version' };
  const { body } = await ask(`${url}/openapi.json`);
  const running = String(rowOf(body.info).version);
  return running === version
    ? ok(told, `service and command line are ${version}`)
    : failed(
        told,
        `the service is ${running}, this command line is ${version}`,
        'Install the same version of both, or run the doctor that comes with the service.',
      );
};

const checkAdminToken = async (target: Target): Promise<Finding> => {
  const told = { name: 'administrator token' };
  if (target.token === '') {
    const remedy = 'Set WAYBILL_ADMIN_TOKEN, or WAYBILL_ADMIN_TOKEN_FILE, or add --token.';
    return failed(told, 'there is no administrator token', remedy);
  }
  const { status, body } = await askAdmin(target, '/accounts?limit=1');
  if (status === 200) return ok(told, 'the service accepts it');
  const remedy = status < 500 ? SET_TOKEN : 'See the lines "health", and the log of the service.';
  return failed(told, `the service answers ${status}: ${String(body.error)}`, remedy);
};

/** Compares the clock of the service, or of this machine, with that of the provider. */
async function* checkProvider(target: Target, live: Answer | undefined): Checks {
  const url = target.providerUrl;
  const clock = { name: 'clock' };
  try {
    const askedAt = target.now();
    const { date } = await ask(`${url}/`);
    yield ok({ name: 'provider' }, `the provider answers at ${url}`);
    if (Number.isNaN(date)) return yield skipped(clock, 'the provider does not tell its time');
    // Both were asked one after the other.
    const own = live ? live.date : askedAt;
    const seconds = Math.round(Math.abs(own - date) / 1000);
    const detail = `${seconds} s between the clock of ${live ? 'the service' : 'this machine'} and the provider's`;
    yield seconds * 1000 <= SKEW_MAX_MS
      ? ok(clock, detail)
      : failed(clock, detail, 'Synchronise the clock of the machine (timedatectl set-ntp true).');
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    yield failed(
      { name: 'provider' },
      `the provider does not answer: ${error.message}`,
      `Let the machine call ${url} (DNS, firewall, outbound proxy), or correct WAYBILL_PROVIDER_URL.`,
    );
    yield skipped(clock, 'the provider does not answer');
  }
}

/** For so long before its end a version of the provider's API is named. */
const VERSION_NOTICE_MS = 90 * 24 * 60 * 60_000;

/** Whether the version that the service speaks ends soon. A call to one that has ended is served by another. */
const checkProviderVersion = ({ config, now }: Target): Finding => {
  const told = { name: 'provider version' };
  if (!config) return skipped(told, 'the settings are not known here');
  const { version } = config.provider;
  const end = endOfVersion(version);
  if (end === undefined) return skipped(told, `${version} is not known to this command line`);
  if (end === null) return ok(told, `the end of ${version} is not announced`);
  const day = isoTime(end).slice(0, 'yyyy-mm-dd'.length);
  const newest = livingVersions(now()).at(-1);
  return end - now() > VERSION_NOTICE_MS
    ? ok(told, `${version} lives until ${day}`)
    : failed(
        told,
        `${version} ${end > now() ? 'ends' : 'ended'} on ${day}`,
        `Remove WAYBILL_PROVIDER_VERSION, which chooses another version than the service was made for, or set a later one, up to ${newest}.`,
      );
};

const hook = ({ url }: Target) => `${url}/provider/webhook`;

const CHALLENGE = '1158201444';

/** The handshake that the provider makes when the webhook is entered in its console. */
const checkVerifyToken = async (target: Target, verifyToken: string): Promise<Finding> => {
  const told = { name: 'verify token' };
  const query = new URLSearchParams({
    'hub.mode': 'subscribe',
    'hub.verify_token': verifyToken,
    'hub.challenge': CHALLENGE,
  });
  const { status, text } = await ask(`${hook(target)}?${query}`);
  return status === 200 && text === CHALLENGE
    ? ok(told, 'the webhook answers the handshake')
    : failed(
        told,
        `the webhook answers the handshake with ${status}`,
        'Start the service with this WAYBILL_VERIFY_TOKEN, and let a proxy in front pass the query on unchanged.',
      );
};

/** A signed notification without entries, which changes nothing. */
const checkAppSecret = async (target: Target, appSecret: string): Promise<Finding> => {
  const told = { name: 'app secret' };
  // A letter beyond ASCII shows a proxy that rewrites the body.
  const body = '{"object":"whatsapp_business_account", "entry":[],"note":"é"}';
  const signature = createHmac('sha256', appSecret).update(body).digest('hex');
  const { status } = await ask(hook(target), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
    body,
  });
  return status === 200
    ? ok(told, 'the webhook accepts a notification that is signed with it')
    : failed(
        told,
        `the webhook answers ${status} to a notification that is signed with it`,
        'Start the service with this WAYBILL_APP_SECRET (App settings → Basic → App secret), and let a proxy in front pass the body on unchanged.',
      );
};

async function* checkWebhook(target: Target): Checks {
  const { config } = target;
  const names = { verify: { name: 'verify token' }, secret: { name: 'app secret' } };
  if (!config) {
    for (const told of Object.values(names)) yield skipped(told, 'the settings are not known here');
    return;
  }
  const [verifyToken] = config.provider.verifyTokens;
  const [appSecret] = config.provider.appSecrets;
  const where = 'docs/going-live.md says where it is; without it the webhook answers 503.';
  yield verifyToken === undefined
    ? failed(names.verify, 'it is not set', `Set WAYBILL_VERIFY_TOKEN: ${where}`)
    : await checkVerifyToken(target, verifyToken);
  yield appSecret === undefined
    ? failed(names.secret, 'it is not set', `Set WAYBILL_APP_SECRET: ${where}`)
    : await checkAppSecret(target, appSecret);
}

/** Yields false at the end when nothing more can be asked of the service. */
export async function* checkService(target: Target): AsyncGenerator<Finding, boolean> {
  const [found, live] = await checkLive(target);
  yield found;
  yield* checkProvider(target, live);
  yield checkProviderVersion(target);
  if (!live) return false;
  yield* await checkReady(target);
  yield* checkWebhook(target);
  yield await checkVersion(target);
  const admitted = await checkAdminToken(target);
  yield admitted;
  return admitted.state === 'ok';
}
