import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { StateBadge } from '../../ui/badge.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { QueryState, Spinner } from '../../ui/states.tsx';
import { eventWords, Id, Time } from '../../ui/value.tsx';
import { JobRows } from './job-rows.tsx';
import { JobVerbs } from './job-verbs.tsx';
import { PauseNote } from './pause-note.tsx';
import { JobAmount, JobProgress } from './progress.tsx';
import { type Job, jobKey, readJob } from './read.ts';
import './jobs.css';

const LOOK_AGAIN_MS = 2_000;

const Plan = ({ plan, maxAmount, sendAt }: Job & { plan: NonNullable<Job['plan']> }) => (
  <Card title="Plan">
    <Facts
      rows={[
        ['Rows', plan.rows],
        ['Good', plan.good],
        ['Bad', plan.bad],
        ['Duplicates', plan.duplicates],
        ['It costs', <JobAmount key="amount" value={plan.amount} />],
        ...plan.totals.map(
          ({ category, market, count, amount }) =>
            [
              `${market}, ${category.toLowerCase()}`,
              <span key={`${market} ${category}`}>
                {count} for <JobAmount value={amount} />
              </span>,
            ] as const,
        ),
        ['Charges at most', maxAmount !== null && <JobAmount key="max" value={maxAmount} />],
        ['Send from', sendAt !== null && <Time key="at" at={sendAt} />],
        ['Finishes', plan.finishesAt !== null && <Time key="end" at={plan.finishesAt} />],
      ]}
    />
  </Card>
);

const Now = ({ job }: { job: Job }) => {
  const { counts, state, startedAt, endedAt, createdAt } = job;
  return (
    <Card title="Now">
      <div className="stack">
        <JobProgress job={job} />
        <Facts
          rows={[
            ['State', <StateBadge key="state" state={state} />],
            ['Waiting', counts.waiting],
            ['Sent', counts.sent],
            ['Delivered', counts.delivered],
            ['Read', counts.read],
            ['Failed', counts.failed],
            ['Refused', counts.refused],
            ['Charged so far', <JobAmount key="amount" value={job.amount} />],
            ['Made', <Time key="made" at={createdAt} />],
            ['Started', startedAt !== null && <Time key="started" at={startedAt} />],
            ['Ended', endedAt !== null && <Time key="ended" at={endedAt} />],
            ['Id', <Id key="id" value={job.id} />],
          ]}
        />
      </div>
    </Card>
  );
};

/** One job: what it would cost, how far it is, and what is wrong with its rows. */
export const JobPage = () => {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useQuery({
    queryKey: jobKey(id),
    queryFn: ({ signal }) => readJob(id, signal),
    // Statuses come in after its end, too.
    refetchInterval: LOOK_AGAIN_MS,
  });
  const { data: job } = query;
  return (
    <Page
      title={job ? (job.name ?? eventWords(job.event)) : 'Job'}
      lead={job && eventWords(job.event)}
      actions={job && <JobVerbs job={job} />}
    >
      <QueryState query={query} />
      {job && <PauseNote job={job} />}
      {job?.state === 'checking' && <Spinner label="Checking the file" />}
      {job?.plan && (
        <>
          <div className="columns">
            <Now job={job} />
            <Plan {...job} plan={job.plan} />
          </div>
          <JobRows job={job} />
        </>
      )}
    </Page>
  );
};
