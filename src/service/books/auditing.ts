import { type Snapshotted, snapshotted } from '../../audit/snapshots.ts';
import { type Report, type VerifyOptions, verify } from '../../audit/verify.ts';
import type { AccountDecider } from '../../commands/account/account.ts';
import { type BadSnapshot, snapshotFaults } from '../../commands/core/snapshots.ts';
import type { EventReader } from '../../events/store.ts';
import { createReadModel } from '../../http/admin/audit.ts';
import { oneAtATime } from '../../http/admin/whole-log.ts';
import type { Metrics } from '../../http/ops/metrics.ts';
import type { Reader } from '../../projections/engine/reader.ts';
import type { Logger } from '../../shared/logger.ts';

/** Verifies the books of a running service, with its snapshots and read models. */
export const createAudit = (deps: {
  store: EventReader;
  reader: Reader;
  account: AccountDecider;
}): ((options: VerifyOptions) => Promise<Report>) => {
  const { store, reader, account } = deps;
  const ofAccounts = account('') as unknown as Snapshotted[string];
  const deciders = { ...snapshotted, account: ofAccounts };
  const readModel = createReadModel(reader);
  return oneAtATime(
    (options: VerifyOptions) => verify(store, { ...options, deciders, readModel }),
    'The books are being verified already',
  );
};

/** Logs and counts snapshots that could not be trusted. */
export const createBadSnapshots = ({ logger, metrics }: { logger: Logger; metrics: Metrics }) => {
  const count = metrics.counter(
    'waybill_bad_snapshots_total',
    'Snapshots that could not be trusted, and were made again: run `waybill ledger verify`',
    ['kind', 'fault'],
    Object.keys(snapshotted).flatMap((kind) => snapshotFaults.map((fault) => ({ kind, fault }))),
  );
  return ({ stream, revision, fault }: BadSnapshot): void => {
    const [kind = '', ...rest] = stream.split('-');
    count({ kind, fault });
    // The names of other streams may contain a customer's number.
    const of = kind === 'account' ? { kind, accountId: rest.join('-') } : { kind };
    const text = 'A snapshot cannot be trusted: it was dropped, and the state read from the log';
    logger.error({ ...of, revision, fault }, text);
  };
};
