import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useScope } from '../../session/session.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { eventWords, Time, Words } from '../../ui/value.tsx';
import { JobAmount, JobProgress } from './progress.tsx';
import { isMoving, type Job, LIST_KEY, pathOf, readJobs } from './read.ts';
import './jobs.css';

/** The list counts the messages of each job. */
const LOOK_AGAIN_MS = 5_000;

const columns: readonly Column<Job>[] = [
  {
    id: 'name',
    header: 'Job',
    cell: ({ id, name, event }) => (
      <span className="two-lines">
        <Link to={pathOf(id) as never}>
          <Words text={name ?? eventWords(event)} />
        </Link>
        {name !== null && <span className="muted small">{eventWords(event)}</span>}
      </span>
    ),
  },
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { id: 'progress', header: 'Messages', cell: (job) => <JobProgress job={job} /> },
  { id: 'amount', header: 'Charged', cell: ({ amount }) => <JobAmount value={amount} /> },
  {
    id: 'created',
    header: 'Made',
    isMinor: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

const New = () => (
  <Link to={'/jobs/new' as never} className="button button-primary">
    New job
  </Link>
);

/** One event to the rows of a file, each a job. */
export const Jobs = () => {
  const navigate = useNavigate();
  const maySend = useScope('notifications:send');
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: LIST_KEY,
    queryFn: ({ signal }) => readJobs(signal),
    refetchInterval: ({ state }) => (state.data?.some(isMoving) ? LOOK_AGAIN_MS : false),
  });
  return (
    <Page
      title="Jobs"
      lead="One event to all rows of a file. It is checked and priced before anything is sent."
      actions={maySend && <New />}
    >
      <Table
        label="Jobs"
        columns={columns}
        rows={data ?? []}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: pathOf(id) } as never)}
        empty={
          <Empty title="No job yet">
            Upload a file with a row for each customer, and see what it would cost.
          </Empty>
        }
        error={error}
        isLoading={isLoading}
        refetch={() => void refetch()}
      />
    </Page>
  );
};
