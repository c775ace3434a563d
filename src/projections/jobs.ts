import type { EventOf, KnownEvent } from '../events/index.ts';
import type { JobPlan } from '../events/job.ts';
import type { Position } from '../events/store.ts';
import { isoTime } from '../shared/clock.ts';
import { defineProjection } from './define.ts';

/** A job without its rows. */
export interface JobDocument {
  id: string;
  accountId: string;
  name: string | null;
  event: string;
  status:
    | 'checking'
    | 'unusable'
    | 'ready'
    | 'queued'
    | 'running'
    | 'paused'
    | 'cancelled'
    | 'done';
  /** Its account, while it is checked, queued or running. */
  lane: string | null;
  /** Until it has ended. */
  live: true | null;
  /** Why it is unusable or was paused by the service. */
  reason: string | null;
  retryOf: string | null;
  maxAmount: number | null;
  perSecond: number | null;
  phoneNumberId: string | null;
  sendAt: string | null;
  fileRef: string;
  /** Of its rows in the log; the most that they may have until it is checked. */
  bytes: number;
  plan: JobPlan | null;
  sent: number;
  refused: number;
  amount: number;
  createdAt: string;
  /** Time of its latest start. */
  startedAt: string | null;
  endedAt: string | null;
  /** When the key of its file is destroyed; null before its end, and once it is. */
  keptUntil: string | null;
  order: Position;
}

type Own = { data: { jobId: string }; meta: KnownEvent['meta']; position: Position };

const jobId = (event: Own) => event.data.jobId;

const changed = <E extends Own>(change: (event: E, job: JobDocument) => Partial<JobDocument>) => ({
  key: jobId as (event: E) => string,
  fold: (job: JobDocument | undefined, event: E) => job && { ...job, ...change(event, job) },
});

const KEPT_MS = 30 * 24 * 3_600_000;

const ended = (endedAt: string, keptMs = KEPT_MS) => ({
  lane: null,
  live: null,
  endedAt,
  keptUntil: isoTime(Date.parse(endedAt) + keptMs),
});

/** The bytes of its rows that no send has paid yet. */
export const waitingBytes = ({ plan, bytes, sent }: JobDocument): number =>
  plan ? Math.ceil((bytes * (plan.rows - sent)) / plan.rows) : bytes;

const to = (status: JobDocument['status'], more: (at: string) => Partial<JobDocument>) =>
  changed(({ meta }: Own, { accountId }) => ({
    status,
    lane: status === 'queued' || status === 'running' ? accountId : null,
    reason: null,
    ...more(meta.at),
  }));

export const jobs = defineProjection<JobDocument>({
  name: 'jobs',
  version: 3,
  indexes: [['accountId', 'live?', 'order'], ['accountId', '-order'], ['lane?'], ['keptUntil?']],
  words: ['accountId'],
  on: {
    JobCreated: {
      key: jobId,
      fold: (_, { data, meta, position }) => ({
        id: data.jobId,
        accountId: data.accountId,
        name: data.name,
        event: data.event,
        status: 'checking',
        lane: data.accountId,
        live: true,
        reason: null,
        retryOf: data.retryOf,
        maxAmount: data.maxAmount,
        perSecond: data.perSecond,
        phoneNumberId: data.phoneNumberId,
        sendAt: data.sendAt,
        fileRef: data.fileRef,
        bytes: data.bytesMax,
        plan: null,
        sent: 0,
        refused: 0,
        amount: 0,
        createdAt: meta.at,
        startedAt: null,
        endedAt: null,
        keptUntil: null,
        order: position,
      }),
    },
    JobChecked: changed((event: EventOf<'JobChecked'>) => ({
      status: 'ready',
      lane: null,
      plan: event.data.plan,
      bytes: event.data.bytes,
    })),
    JobUnusable: changed((event: EventOf<'JobUnusable'>) => ({
      status: 'unusable',
      reason: event.data.reason,
      ...ended(event.meta.at, 0),
    })),
    JobStarted: to('queued', (startedAt) => ({ startedAt })),
    JobBegun: to('running', () => ({})),
    JobPaused: changed((event: EventOf<'JobPaused'>) => ({
      status: 'paused',
      lane: null,
      reason: event.data.reason,
    })),
    JobCancelled: to('cancelled', (at) => ended(at)),
    JobFinished: to('done', (at) => ended(at)),
    JobFileDestroyed: changed(() => ({ keptUntil: null })),
    JobRowsSettled: changed(({ data }: EventOf<'JobRowsSettled'>, job) => ({
      sent: job.sent + data.sent.length,
      refused: job.refused + data.refused.length,
      amount: job.amount + data.amount,
    })),
  },
});
