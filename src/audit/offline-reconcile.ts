import { openSqliteScratch } from '../events/sqlite/scratch.ts';
import { AppError } from '../shared/errors.ts';
import { printable } from '../shared/printable.ts';
import type { Reconciliation } from './billing-report.ts';
import {
  type ExportReconcileOptions,
  type ReconciliationInExport,
  reconcileExport,
} from './export-reconcile.ts';
import { openLog, openServerLog } from './offline.ts';
import { type ReconciledLog, type ReconcileOptions, reconcile } from './reconcile.ts';

// Compares charges with the provider's statuses without a running service. Without data keys, what the
// log holds sealed is not shown.

export type OfflineReconcileOptions = Omit<ReconcileOptions, 'openScratch'>;

const reconcileLog = async (
  log: ReconciledLog & { close(): unknown },
  options: OfflineReconcileOptions,
): Promise<Reconciliation> => {
  try {
    const { accountId } = options;
    if (
      accountId !== undefined &&
      (await log.read(`account-${accountId}`, { limit: 1 })).length === 0
    ) {
      throw new AppError('resource.unknown', `There is no account ${printable(accountId)}`);
    }
    return await reconcile(log, { ...options, openScratch: openSqliteScratch });
  } finally {
    await log.close();
  }
};

export const reconcileDirectory = async (directory: string, options: OfflineReconcileOptions) =>
  reconcileLog(openLog(directory), options);

export const reconcileServer = async (url: string, options: OfflineReconcileOptions) =>
  reconcileLog(await openServerLog(url), options);

export const reconcileFile = (
  read: () => AsyncIterable<string>,
  options: Omit<ExportReconcileOptions, 'openScratch'>,
): Promise<ReconciliationInExport> =>
  reconcileExport(read, { ...options, openScratch: openSqliteScratch });
