import { type Reconciliation, withComparison } from '../../audit/billing-report.ts';
import { type ReconcileOptions, reconcile } from '../../audit/reconcile.ts';
import {
  type Comparison,
  compareVolumes,
  countryWord,
  createVolumes,
  volumeCategory,
} from '../../audit/volumes.ts';
import type { Lookups, NumberRecord } from '../../commands/core/lookups.ts';
import { senderOf } from '../../commands/sending/outgoing.ts';
import { digitsOf } from '../../commands/sending/recipient.ts';
import type { OpenScratch } from '../../events/scratch.ts';
import type { EventReader } from '../../events/store.ts';
import { isProviderError, type Provider } from '../../provider/provider.ts';
import type { Clock } from '../../shared/clock.ts';
import { invalidFields } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';

interface Deps {
  /** The log as it is stored. */
  log: EventReader;
  /** The log with personal fields in clear. */
  store: EventReader;
  lookups: Pick<Lookups, 'numbers'>;
  provider: Pick<Provider, 'readVolumes'>;
  secrets: Secrets;
  clock: Clock;
  openScratch: OpenScratch;
}

type Reconcile = (
  options: Pick<ReconcileOptions, 'period' | 'accountId' | 'signal'> & {
    withProvider: boolean;
    withIds: boolean;
  },
) => Promise<Reconciliation>;

/** A business account and those of its numbers that are linked here. */
interface Asked {
  wabaId: string;
  numbers: NumberRecord[];
}

type Volumes = ReturnType<typeof createVolumes>;

/** The provider's analytics go back a year at most. */
const mustBeTold = (from: string, now: number): void => {
  const yearAgo = new Date(now);
  yearAgo.setUTCFullYear(yearAgo.getUTCFullYear() - 1);
  if (Date.parse(from) >= yearAgo.getTime()) return;
  const since = yearAgo.toISOString().slice(0, 10);
  throw invalidFields({
    provider: [
      `the provider tells a year back at most: begin at ${since} or later, or leave it out`,
    ],
  });
};

/** Adds what the provider says of a business account; else the reason why it says nothing. */
const ask = async (
  { provider, secrets, clock }: Deps,
  { numbers }: Asked,
  { from, to }: ReconcileOptions['period'],
  volumes: Volumes,
): Promise<string | undefined> => {
  const sending = numbers.find(({ accessToken }) => accessToken !== null);
  if (!sending) return 'none of its numbers has an access token';
  const nameless = numbers.find((number) => digitsOf(number.displayPhoneNumber) === '');
  if (nameless) {
    const { phoneNumberId } = nameless;
    return `the service does not know the number of ${phoneNumberId}: waybill number refresh ${phoneNumberId}`;
  }
  const secondsOf = (time: number) => Math.floor(time / 1000);
  const end = Math.min(secondsOf(Date.parse(to)), secondsOf(clock.now()) + 1);
  const seconds = { from: secondsOf(Date.parse(from)), to: end };
  try {
    const own = new Set(numbers.map((number) => digitsOf(number.displayPhoneNumber)));
    for (const point of await provider.readVolumes(senderOf(sending, secrets), seconds)) {
      const { phoneNumber, category, countryCode, type, volume, cost } = point;
      if (phoneNumber !== null && !own.has(phoneNumber)) continue;
      const counts = type.toUpperCase().startsWith('FREE') ? { free: volume } : { billed: volume };
      volumes.add(volumeCategory(category), countryWord(countryCode), { ...counts, cost });
    }
    return undefined;
  } catch (error) {
    if (!isProviderError(error)) throw error;
    return error.message;
  }
};

const compare = async (
  deps: Deps,
  report: Reconciliation,
  signal: AbortSignal | undefined,
): Promise<Comparison> => {
  const { period, accountId, accounts } = report;
  const asked = new Map<string, Asked>();
  const linked = new Map<string, string>();
  for (const owner of accountId === null ? accounts : [accountId]) {
    for (const number of await deps.lookups.numbers(owner)) {
      const { wabaId, phoneNumberId } = number;
      const known = asked.get(wabaId) ?? { wabaId, numbers: [] };
      known.numbers.push(number);
      asked.set(wabaId, known);
      linked.set(phoneNumberId, wabaId);
    }
  }
  const theirs = createVolumes();
  const missing: Comparison['missing'] = [];
  const silent = new Set<string>();
  for (const one of asked.values()) {
    signal?.throwIfAborted();
    const reason = await ask(deps, one, period, theirs);
    if (reason === undefined) continue;
    silent.add(one.wabaId);
    missing.push({ what: `business account ${one.wabaId}`, reason });
  }
  const ours = createVolumes();
  const unlinked = new Set<string>();
  for (const { phoneNumberId, category, countryCode, ...counts } of report.volumes) {
    const wabaId = linked.get(phoneNumberId);
    if (wabaId === undefined) unlinked.add(phoneNumberId);
    else if (!silent.has(wabaId)) ours.add(category, countryCode, counts);
  }
  for (const phoneNumberId of unlinked) {
    missing.push({ what: `number ${phoneNumberId}`, reason: 'it is not linked any more' });
  }
  return { source: 'provider', rows: compareVolumes(ours.list(), theirs.list()), missing };
};

/** Compares charges with the provider's bill: its statuses, and on demand its volumes. */
export const createReconciling =
  (deps: Deps): Reconcile =>
  async ({ period, accountId, signal, withProvider, withIds }) => {
    if (withProvider) mustBeTold(period.from, deps.clock.now());
    const { log, store, openScratch } = deps;
    const report = await reconcile(
      log,
      { period, accountId, signal, openScratch },
      withIds ? store : log,
    );
    if (!withProvider) return report;
    return withComparison(report, await compare(deps, report, signal));
  };
