import { type Row, rowOf } from '../output/format.ts';
import { type Checks, type Finding, failed, ok, skipped } from './check.ts';
import { askAdmin, type Target } from './service.ts';

// Each account with its numbers: what keeps it from sending.

/** Accounts of one run; --account names another one. */
const ACCOUNTS_MAX = 100;

const rowsOf = (body: Row, field: string): Row[] => {
  const rows = body[field];
  return Array.isArray(rows) ? rows.map(rowOf) : [];
};

const checkBalance = ({ id, balance, billing, currency }: Row): Finding => {
  const told = { name: 'balance', about: String(id) };
  const detail = `${balance} ${billing === 'wallet' ? currency : 'credits'}`;
  if (Number(balance) > 0) return ok(told, detail);
  const command =
    billing === 'wallet'
      ? `wallet top-up ${id} 25.00 --reason …`
      : `credits grant ${id} 500 --reason …`;
  return failed(told, detail, `Sends are refused with 402: waybill ${command}`);
};

const checkPause = ({ id, limits, pausedReason }: Row): Finding[] => {
  const isPaused = rowOf(limits).paused === true || typeof pausedReason === 'string';
  if (!isPaused) return [];
  const detail = typeof pausedReason === 'string' ? pausedReason : 'an administrator paused it';
  const told = { name: 'pause', about: String(id) };
  return [failed(told, detail, `When the cause is gone: waybill account limits ${id} --no-paused`)];
};

const NEW_TOKEN =
  'Make a token of a system user that never expires, with whatsapp_business_messaging and ' +
  'whatsapp_business_management, and the business account among its assets:';

/** Reads the number at the provider, which also subscribes the app where it is not. */
async function* checkToken(target: Target, id: string): AsyncGenerator<Finding, boolean> {
  const told = { name: 'token', about: id };
  const { status, body } = await askAdmin(target, `/numbers/${id}/refresh`, 'POST');
  if (status === 200) {
    yield ok(told, 'the provider accepts it');
    return true;
  }
  const words = String(body.error);
  // An answer of the provider has its words with it.
  const isUnread = status >= 500 && rowOf(body.details).providerMessage === undefined;
  if (!isUnread) {
    yield failed(told, words, `${NEW_TOKEN} waybill number token ${id} < token`);
    return false;
  }
  const away =
    'Let the service call the provider (DNS, firewall, outbound proxy, WAYBILL_PROVIDER_URL of the service); ' +
    'the provider refused nothing.';
  yield status === 502
    ? failed({ name: 'provider', about: id }, `the service: ${words}`, away)
    : failed({ name: 'service', about: id }, `it answers ${status}: ${words}`, 'See its log.');
  yield skipped(told, 'the provider was not asked');
  return false;
}

const checkRegistration = ({ phoneNumberId: id, registered }: Row): Finding => {
  const told = { name: 'registration', about: String(id) };
  if (registered === true) return ok(told, 'the number is registered');
  const remedy = `Register it with its 6-digit two-step PIN: waybill number register ${id}`;
  if (registered === null) return skipped(told, 'the provider does not tell');
  return failed(told, 'the provider refuses its sends with 133010: it is not registered', remedy);
};

const checkSubscription = ({
  phoneNumberId: id,
  wabaId,
  subscribed,
  subscriptionProblem,
}: Row): Finding => {
  const told = { name: 'webhook subscription', about: String(id) };
  if (subscribed === true) return ok(told, `the app receives the notifications of ${wabaId}`);
  if (subscribed === null && subscriptionProblem === null) {
    return skipped(told, 'the provider does not tell');
  }
  const detail = `no status and no message arrives: ${subscriptionProblem ?? 'the app is not subscribed'}`;
  const remedy = `Give the system user of the token full control of ${wabaId}, then: waybill number refresh ${id}`;
  return failed(told, detail, remedy);
};

const checkBlockers = (id: string, health: Row): Finding => {
  const told = { name: 'sending', about: id };
  const sentences = Array.isArray(health.blockers) ? health.blockers.map(String) : [];
  const limits = Array.isArray(health.limits) ? health.limits.map(String) : [];
  if (sentences.length === 0) {
    return ok(told, limits.length > 0 ? limits.join(' ') : 'nothing blocks the number');
  }
  return failed(
    told,
    sentences.join(' '),
    'Each sentence names its fix; then: waybill number refresh.',
  );
};

const REFUSED = new Set(['REJECTED', 'PAUSED', 'DISABLED']);

const checkCatalog = (id: string, { total, ready, events }: Row): Finding => {
  const told = { name: 'catalog', about: id };
  const rows = Array.isArray(events) ? events.map(rowOf) : [];
  const refused = rows.filter(({ status }) => REFUSED.has(String(status)));
  const words = refused.map(({ event, status, statusReason }) =>
    [event, status, statusReason].filter((word) => typeof word === 'string').join(' '),
  );
  const detail = [`${ready} of ${total} events are approved`, ...words].join('; ');
  if (refused.length > 0) {
    return failed(
      told,
      detail,
      'Mend the template in the WhatsApp Manager, and appeal or submit it again.',
    );
  }
  if (ready !== 0) return ok(told, detail);
  const isWaiting = rows.some(({ status }) => status === 'PENDING');
  const remedy = isWaiting
    ? 'Wait for the review by the provider: minutes, at most a day or two.'
    : 'Submit it with a key of the account: waybill template submit (POST /v1/notifications/templates/submit).';
  return failed(told, detail, remedy);
};

async function* checkNumber(target: Target, id: string): Checks {
  const isRead = yield* checkToken(target, id);
  const { body: number } = await askAdmin(target, `/numbers/${id}`);
  if (isRead) {
    yield checkRegistration(number);
    yield checkSubscription(number);
  }
  const { body } = await askAdmin(target, `/numbers/${id}/readiness?refresh=${isRead}`);
  if (isRead && number.registered !== false) yield checkBlockers(id, rowOf(body.health));
  yield checkCatalog(id, body);
}

async function* checkAccount(target: Target, account: Row): Checks {
  yield checkBalance(account);
  yield* checkPause(account);
  const id = String(account.id);
  const { body } = await askAdmin(target, `/accounts/${id}/numbers?limit=${ACCOUNTS_MAX}`);
  const numbers = rowsOf(body, 'numbers');
  if (numbers.length === 0) {
    const remedy = `waybill number link <phone number id> --account ${id} --waba <business account> --access-token-file -`;
    yield failed({ name: 'number', about: id }, 'the account has no number', remedy);
  }
  for (const { phoneNumberId } of numbers) yield* checkNumber(target, String(phoneNumberId));
}

/** The numbers for whose sends no status comes, though the provider accepts them. */
async function* checkSilence(target: Target, accountId: string | undefined): Checks {
  const { body } = await askAdmin(target, `/numbers/health?limit=${ACCOUNTS_MAX}`);
  for (const number of rowsOf(body, 'numbers')) {
    const isSilent = Array.isArray(number.problems) && number.problems.includes('silent');
    if (!isSilent || (accountId !== undefined && number.accountId !== accountId)) continue;
    yield failed(
      { name: 'statuses', about: String(number.phoneNumberId) },
      `no status has come for what was sent since ${String(number.waitingSince)}`,
      'See the lines app secret, verify token and webhook subscription: the callbacks of the provider do not arrive (docs/runbooks.md, "Callbacks missing").',
    );
  }
}

/** The account with this id, or all. */
const readAccounts = async (target: Target, id: string | undefined): Promise<Row[]> => {
  if (id === undefined) {
    const { body } = await askAdmin(target, `/accounts?limit=${ACCOUNTS_MAX}`);
    return rowsOf(body, 'accounts');
  }
  const { status, body } = await askAdmin(target, `/accounts/${encodeURIComponent(id)}`);
  return status === 200 ? [body] : [];
};

export async function* checkTenants(target: Target, accountId: string | undefined): Checks {
  const accounts = await readAccounts(target, accountId);
  if (accounts.length === 0) {
    const told = { name: 'account' };
    yield accountId === undefined
      ? failed(
          told,
          'there is no account',
          'waybill organisation create "…", then waybill account create "…" --organisation <id>',
        )
      : failed(told, `there is no account ${accountId}`, 'Its id is in: waybill account list');
  }
  for (const account of accounts) yield* checkAccount(target, account);
  yield* checkSilence(target, accountId);
}
