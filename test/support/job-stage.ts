import { createWriter } from '../../src/commands/core/execute.ts';
import { leaseOf } from '../../src/commands/core/lease.ts';
import type { Lookups } from '../../src/commands/core/lookups.ts';
import type { ClaimedRuns } from '../../src/commands/idempotency/claimed-runs.ts';
import { createIdempotency } from '../../src/commands/idempotency/idempotency.ts';
import { inProgress } from '../../src/commands/idempotency/idempotency-key.ts';
import { type JobCommand, type JobTerms, jobDecider } from '../../src/commands/jobs/job.ts';
import { createJobWrites } from '../../src/commands/jobs/jobs.ts';
import { createJobRuns } from '../../src/commands/jobs/run-jobs.ts';
import { createRowSends, type Turn } from '../../src/commands/jobs/send-rows.ts';
import type { Notifications } from '../../src/commands/sending/notification.ts';
import type { Transmitted } from '../../src/commands/sending/transmitted.ts';
import type { Price } from '../../src/events/price.ts';
import type { EventStore } from '../../src/events/store.ts';
import { inAccount } from '../../src/events/streams.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { AppError } from '../../src/shared/errors.ts';
import { systemIds } from '../../src/shared/system.ts';
import { fixedClock } from './ambient.ts';
import { createMemoryLog } from './interleaving.ts';
import { secrets } from './message-refs.ts';
import { jobPlan, jobTerms, price } from './samples.ts';
import { memoryRing, memorySubjects, subjectOfId } from './subjects.ts';

const JOB = { accountId: 'acc_1', jobId: 'job_1' };
const { accountId, jobId } = JOB;
/** Longer than a lease, and than its process may still write after it. */
const FROZEN_MS = 70_000;

/** Whose row it is. */
const rowSubject = (row: number) => subjectOfId(`contact_${row}`);

/** A row that the provider was asked to send. */
interface RowSend {
  row: number;
  claimId: string;
  /** On the clock that never goes back, in ms. */
  at: number;
}

/** A job that runs, with parts of these rows, and as many processes as a test wants. */
export const openJobStage = async (
  parts: readonly (readonly number[])[],
  more: Partial<JobTerms> = {},
) => {
  const clock = fixedClock();
  const { store, events } = createMemoryLog();
  const sends: RowSend[] = [];
  /** For how long the leases of processes have ended. */
  const endedForMs = new Map<string, number>();
  const writerOf = (to: EventStore) =>
    createWriter({ store: to, clock, ids: systemIds, keys: memoryRing });
  const admin = writerOf(store);
  const stream = inAccount(accountId, jobId);
  const file = subjectOfId(jobId);
  const decide = (command: JobCommand) => {
    const others = parts.flat().map(rowSubject);
    const context = { requestId: 'test', subjects: [file, ...others] };
    return admin.execute(jobDecider(accountId, jobId), stream, command, context);
  };
  await decide({ type: 'Create', terms: { ...jobTerms, ...more } });
  for (const numbers of parts) {
    const rows = {
      contactRef: file.ref,
      numbers: [...numbers],
      rows: numbers.map((row) => ({ to: `+9198123${45_000 + row}`, values: ['A', 'B', 'C'] })),
      flaws: [],
      bytes: 100,
      otherRefs: numbers.map((row) => rowSubject(row).ref),
      named: [],
    };
    await decide({ type: 'AddRows', rows });
  }
  await decide({ type: 'FinishCheck', plan: jobPlan });
  await decide({ type: 'Start' });
  await decide({ type: 'Begin' });

  /** `log` stands between the process and the log. */
  const startProcess = (name: string, log: EventStore = store) => {
    const working = new Map<string, Parameters<ClaimedRuns['begin']>[1]>();
    const sentOf = (row: number, cost = price()) => ({
      messageId: `wamid.${row}`,
      charge: { chargeId: `chg_${row}`, price: cost, balanceAfter: 0 },
    });
    const runs: Partial<ClaimedRuns> = {
      begin(workId, request) {
        working.set(workId, request);
        return () => working.delete(workId);
      },
      termOf: ({ id }) => working.get(id)?.term,
      async sentEarlier({ id, part }) {
        if (world.open.includes(part!)) throw inProgress(10);
        const isKnown = sends.some(({ row, claimId }) => claimId === id && row === part);
        return isKnown && working.get(id)?.resumed ? (sentOf(part!) as Transmitted) : undefined;
      },
    };
    const writer = writerOf(log);
    const lease = leaseOf(name, () => endedForMs.get(name) ?? 0);
    const idempotency = createIdempotency({
      writer,
      runs: runs as ClaimedRuns,
      secrets,
      subjects: memorySubjects,
      leases: { current: () => lease, endedForMs: (id) => endedForMs.get(id) },
      clock,
      ids: systemIds,
      monotonicMs: () => clock.now(),
      soleWriter: false,
      // A turn is claimed where they are used up, too: the job pauses by itself.
      freeWrites: { count: () => undefined, usedUp: new Set([accountId]), left: async () => 0 },
      onUnsettled: () => undefined,
    });
    /** What a test may put in its place. */
    const world = {
      mayAct: true,
      erased: [] as readonly number[],
      /** Rows of which it is not known yet whether they went out. */
      open: [] as readonly number[],
      takeSlot: async (): Promise<undefined> => undefined,
      /** Throws where the provider refuses the row. */
      refuse: (_row: number): void => undefined,
      priceOf: (_row: number): Price => price(),
    };
    const notifications: Notifications = {
      takeSlot: () => world.takeSlot(),
      async send({ bound }, { claim }) {
        const row = claim!.part!;
        const cost = world.priceOf(row);
        bound?.(cost);
        world.refuse(row);
        sends.push({ row, claimId: claim!.id, at: performance.now() });
        return sentOf(row, cost) as Awaited<ReturnType<Notifications['send']>>;
      },
    };
    const deps = {
      writer,
      execute: createJobWrites(writer, { count: () => undefined }),
      store: log,
      idempotency,
      runs: runs as ClaimedRuns,
      notifications,
      subjects: {
        areHeld: async (refs: readonly string[]) =>
          !world.erased.some((row) => refs.includes(rowSubject(row).ref)),
      },
      clock,
      signal: new AbortController().signal,
      onFault: (error: unknown) => {
        throw error;
      },
    };
    const sendRows = createRowSends(deps);
    const load = async () => (await writer.load(jobDecider(accountId, jobId), stream)).state;
    return {
      world,
      deps,
      load,
      /** A turn of a part. */
      async turn(part: number, goesOn: Turn['goesOn'] = async () => true) {
        return sendRows({ job: JOB, state: await load(), part, dueAt: () => 0, goesOn });
      },
      /** Begins to run the job, as the service does. Resolves to what is called every moment. */
      async run() {
        const { reactor, tick } = createJobRuns({
          ...deps,
          lookups: { numbers: async () => [] } as Partial<Lookups> as Lookups,
          jobs: {
            reachHead: async () => undefined,
            lanes: async ({ after }) => (after === '' ? [accountId] : []),
            async openJobs() {
              const { status } = await load();
              const row = { ...JOB, createdAt: isoTime(clock.now()), sendAt: null };
              return status === 'running' || status === 'queued' ? [{ ...row, status }] : [];
            },
            failedOf: async () => 0,
          },
          defaultsOf: () => ({ quietHours: null, timeZone: 'UTC' }),
          mayAct: async () => world.mayAct,
          isCurrent: () => true,
          checkedBy: 0,
          onFailure: deps.onFault,
        });
        await reactor.prepare?.(() => true);
        return tick;
      },
      /** It stands still for so long that others may take up what it does. */
      freeze() {
        endedForMs.set(name, FROZEN_MS);
        clock.advance(FROZEN_MS);
      },
    };
  };
  return { clock, store, events, sends, decide, startProcess };
};

/** A refusal of the provider that concerns one recipient alone. */
export const undeliverable = () =>
  new AppError('provider.refused', 'Message undeliverable', {
    event: 'order_shipped',
    template: 'order_shipped',
    providerCode: 131026,
    providerMessage: 'Message undeliverable',
  });
