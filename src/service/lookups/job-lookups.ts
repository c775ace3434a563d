import { type ExpiredFile, LIVE_MAX } from '../../commands/jobs/jobs.ts';
import type { JobLookups, OpenJob } from '../../commands/jobs/run-jobs.ts';
import type { JobId } from '../../commands/jobs/send-rows.ts';
import { jobs, waitingBytes } from '../../projections/jobs.ts';
import { messages } from '../../projections/messages.ts';
import type { Stores } from '../stores.ts';
import { createLanes } from './due-rows.ts';

/** Rows of one look. */
const PAGE = 500;

/** What the read models tell those that make and run jobs. */
export const createJobLookups = (stores: Pick<Stores, 'store' | 'reader'>) => {
  const { store, reader } = stores;
  const lanes = createLanes(stores, jobs);

  /** The jobs of an account that have not ended, the oldest first. */
  const live = (accountId: string) =>
    reader.find(jobs, {
      where: { accountId, live: true },
      order: { field: 'order', direction: 'ascending' },
      // Uploads at the same time may pass the bound by a few.
      limit: 2 * LIVE_MAX,
    });

  const runs: JobLookups = {
    ...lanes,
    async openJobs(accountId) {
      await lanes.reachHead();
      const found = await live(accountId);
      return found
        .filter(({ lane }) => lane !== null)
        .map(({ id: jobId, status, createdAt, sendAt }) => ({
          jobId,
          accountId,
          createdAt,
          sendAt,
          status: status as OpenJob['status'],
        }));
    },
    failedOf: ({ jobId }: JobId) =>
      reader.count(messages, {
        where: { jobId, status: 'failed' },
        order: { field: 'order', direction: 'descending' },
      }),
  };

  return {
    runs,
    /** How many jobs of an account have not ended, and the bytes of their rows that were not sent. */
    async waiting(accountId: string): Promise<{ jobs: number; bytes: number }> {
      await reader.reached([jobs], await store.head());
      const found = await live(accountId);
      return { jobs: found.length, bytes: found.reduce((sum, job) => sum + waitingBytes(job), 0) };
    },
    /** Jobs whose file is kept no longer than until then. */
    async expiredFiles(until: string): Promise<readonly ExpiredFile[]> {
      const found = await reader.find(jobs, {
        where: { keptUntil: { lte: until } },
        order: { field: 'keptUntil', direction: 'ascending' },
        limit: PAGE,
      });
      return found.map(({ id: jobId, accountId, fileRef }) => ({ jobId, accountId, fileRef }));
    },
  };
};
