import { expect } from 'chai';
import {
  jobDecider,
  openPart,
  type TurnOutcome,
  unpaidBytes,
} from '../../../src/commands/jobs/job.ts';
import { readJobRows } from '../../../src/commands/jobs/job-rows.ts';
import {
  JobBegun,
  JobCancelled,
  JobChecked,
  JobCreated,
  type JobFact,
  JobFinished,
  JobPaused,
  JobRowsAdded,
  JobRowsSettled,
  JobStarted,
  JobUnusable,
} from '../../../src/events/job.ts';
import { jobPlan, jobTerms as terms } from '../../support/samples.ts';
import { spec } from '../../support/spec.ts';

const OWN = { jobId: 'job_1', accountId: 'acc_1' };

const plan = { ...jobPlan, good: 3, bad: 1, amount: 3 };
const row = { to: '+919812345678', values: [] };
const partOf = (numbers: number[], flawed: number[] = []) => ({
  contactRef: 'file',
  numbers,
  rows: numbers.map(() => row),
  flaws: flawed.map((one) => ({ row: one, state: 'bad' as const, problem: 'is bad' })),
  bytes: 400,
  otherRefs: [],
  named: [],
});
const added = [
  JobRowsAdded.of({ ...OWN, ...partOf([1, 2]) }),
  JobRowsAdded.of({ ...OWN, ...partOf([4], [3]) }),
];
const created = JobCreated.of({ ...OWN, ...terms });
const checked = JobChecked.of({ ...OWN, plan, bytes: 800 });
const started = JobStarted.of(OWN);
const begun = JobBegun.of(OWN);
const cancelled = JobCancelled.of(OWN);
const unusable = JobUnusable.of({ ...OWN, reason: 'The file is empty' });
const paused = (reason: string | null = null) =>
  JobPaused.of({ ...OWN, reason, sent: 0, refused: 0, amount: 0 });
type Settled = ReturnType<typeof JobRowsSettled.of>['data'];
const nothingSettled = { sent: [], refused: [], amount: 0, left: 'none' as const };
const settledFact = (part: number, more: Partial<Settled> = {}) =>
  JobRowsSettled.of({ ...OWN, part, ...nothingSettled, ...more });

const checking = [created, ...added];
const ready = [...checking, checked];
const running = [...ready, started, begun];
const first = settledFact(0, { sent: [[1, 'chg_1']], amount: 1, left: 'waiting' });
const firstOver = settledFact(0, { refused: [[2, 'SEND_FAILED']] });
const secondOver = settledFact(1, { sent: [[4, 'chg_2']], amount: 1 });
const finished = [...running, first, firstOver, secondOver];
const done = JobFinished.of({ ...OWN, sent: 2, refused: 1, amount: 2 });

const histories: Record<string, readonly JobFact[]> = {
  checking,
  unusable: [...checking, unusable],
  ready,
  queued: [...ready, started],
  running,
  paused: [...running, paused()],
  cancelled: [...running, cancelled],
  done: [...finished, done],
};

describe('a job', () => {
  const given = spec(jobDecider('acc_1', 'job_1'));
  const inState = (state: string) => given(...histories[state]!);
  const givenFirstOver = given(...running, first, firstOver);
  const givenFirst = given(...running, first);
  const givenFinished = given(...finished);
  const givenReady = inState('ready');
  const givenChecking = inState('checking');

  it('is made once, and takes rows while it is checked', () => {
    given().when({ type: 'Create', terms }).thenHappened(created);
    // By another run of its request: only one of them adds rows.
    given(created).when({ type: 'Create', terms }).thenRefused('idempotency.in_progress');
    const rows = partOf([1, 2]);
    const add = { type: 'AddRows', rows } as const;
    given(created)
      .when(add)
      .thenHappened('JobRowsAdded', { numbers: [1, 2] });
    givenReady.when(add).thenRefused('job.state');
    given().when(add).thenRefused('resource.unknown');
  });

  it('is checked once, with the bytes of its rows', () => {
    givenChecking.when({ type: 'FinishCheck', plan }).thenHappened(checked);
    givenReady.when({ type: 'FinishCheck', plan }).thenNothing();
    const givenCancelled = given(...checking, cancelled);
    givenCancelled.when({ type: 'FinishCheck', plan }).thenNothing();
    const mark = { type: 'MarkUnusable', reason: 'The file is empty' } as const;
    givenChecking.when(mark).thenHappened(unusable);
    givenReady.when(mark).thenNothing();
  });

  for (const [type, happens, allowed] of [
    ['Start', 'JobStarted', ['ready']],
    ['Resume', 'JobStarted', ['paused']],
    ['Pause', 'JobPaused', ['queued', 'running']],
    ['Cancel', 'JobCancelled', ['checking', 'ready', 'queued', 'running', 'paused']],
  ] as const) {
    it(`takes ${type} in the states that allow it: ${allowed.join(', ')}`, () => {
      const command = type === 'Pause' ? { type, reason: null } : { type };
      for (const state of Object.keys(histories)) {
        const decided = inState(state).when(command);
        if (allowed.some((one) => one === state)) {
          decided.thenHappened({ type: happens, data: OWN });
        } else decided.thenRefused('job.state');
      }
    });
  }

  it('does not start above its bound, nor without a row that can be sent', () => {
    const bounded = (maxAmount: number) =>
      given(JobCreated.of({ ...OWN, ...terms, maxAmount }), ...added, checked);
    bounded(2).when({ type: 'Start' }).thenRefused('job.state');
    bounded(3).when({ type: 'Start' }).thenHappened(started);
    const none = JobChecked.of({ ...OWN, plan: { ...plan, good: 0 }, bytes: 800 });
    const givenNone = given(...checking, none);
    givenNone.when({ type: 'Start' }).thenRefused('job.state');
  });

  it('begins once, and is paused by the service only while it runs', () => {
    inState('queued').when({ type: 'Begin' }).thenHappened(begun);
    for (const state of ['ready', 'running', 'paused', 'cancelled']) {
      inState(state).when({ type: 'Begin' }).thenNothing();
    }
    const pause = { type: 'Pause', reason: 'MAX_AMOUNT' } as const;
    givenFirst.when(pause).thenHappened('JobPaused', { reason: 'MAX_AMOUNT', sent: 1, amount: 1 });
    for (const state of ['queued', 'paused', 'cancelled', 'done']) {
      inState(state).when(pause).thenNothing();
    }
  });

  const again: TurnOutcome = {
    part: 0,
    turn: 1,
    sent: [{ row: 1, chargeId: 'chg_9', amount: 1 }],
    refused: [[2, 'SEND_FAILED']],
    left: 'none',
    isOwn: () => true,
  };

  it('settles each row once, whatever its parts and their order', () => {
    const other = { sent: [], refused: [[2, 'SEND_FAILED']], amount: 0 };
    givenFirst.when({ type: 'Settle', outcome: again }).thenHappened('JobRowsSettled', other);
    givenFirstOver.when({ type: 'Settle', outcome: { ...again, turn: 0 } }).thenNothing();
    const { state } = given(...running, secondOver, first);
    expect(state).to.deep.include({ over: [1], sent: 2, amount: 2 });
    expect(openPart(state, 0)).to.deep.equal({ part: 0, done: [1], turns: 1 });
  });

  it('settles nothing of a turn that is over, or that another process may have taken up', () => {
    for (const other of [{ turn: 0 }, { isOwn: () => false }]) {
      givenFirst.when({ type: 'Settle', outcome: { ...again, ...other } }).thenNothing();
    }
  });

  it('gives a turn that may have sent more no key of its own', () => {
    const unclear = settledFact(0, { sent: [[1, 'chg_1']], amount: 1, left: 'unclear' });
    const { state } = given(...running, unclear);
    expect(openPart(state, 0)).to.deep.equal({ part: 0, done: [1], turns: 0 });
  });

  it('ends when no row waits', () => {
    givenFirstOver.when({ type: 'Finish' }).thenNothing();
    givenFinished.when({ type: 'Finish' }).thenHappened(done);
    const givenPaused = given(...finished, paused());
    givenPaused.when({ type: 'Finish' }).thenNothing();
  });

  it('knows where what became of a row is told: no other event is read', async () => {
    const history = [...running, secondOver, first, firstOver];
    const { parts } = given(...history).state;
    const looks: number[] = [];
    const read = async (_: string, { from = 0 } = {}) => {
      looks.push(from);
      return [history[from]] as never;
    };
    const rowsAfter = async (after: number) => {
      looks.length = 0;
      const found = [];
      for await (const rows of readJobRows({ read }, { ...OWN, parts }, after)) found.push(...rows);
      return found.map(({ row, state, chargeId, problem }) => [row, state, chargeId ?? problem]);
    };
    const rows = [
      [1, 'sent', 'chg_1'],
      [2, 'refused', 'SEND_FAILED'],
      [3, 'bad', 'is bad'],
      [4, 'sent', 'chg_2'],
    ];
    expect(await rowsAfter(0)).to.deep.equal(rows);
    expect(await rowsAfter(2)).to.deep.equal(rows.slice(2));
    expect(looks).to.deep.equal([2, history.indexOf(secondOver)]);
  });

  it('row 69: leaves the share of its bytes unpaid whose rows were not sent', () => {
    const bytesAfter = (...history: JobFact[]) => unpaidBytes(given(...history).state);
    expect(bytesAfter(created)).to.equal(0);
    expect(bytesAfter(...ready, cancelled)).to.equal(800);
    expect(bytesAfter(...running, first, cancelled)).to.equal(600);
    expect(bytesAfter(...finished, done)).to.equal(400);
  });
});
