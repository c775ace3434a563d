import { useAccount } from '../../layout/shop.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Amount, creditWords } from '../../ui/value.tsx';
import type { Job } from './read.ts';

/** An amount of a job: whole credits, or money of the wallet. */
export const JobAmount = ({ value }: { value: number | string }) => {
  const account = useAccount();
  if (typeof value === 'number') return creditWords(value);
  return <Amount value={value} unit={account?.currency ?? null} />;
};

/** How many of its messages are done, as a bar and as figures. */
export const JobProgress = ({ job: { plan, counts } }: { job: Job }) => {
  if (plan === null) return '–';
  const done = plan.good - counts.waiting;
  return (
    <div className="job-progress">
      <Progress label="Messages that are done" done={done} of={plan.good} />
      <span className="muted small">
        {done} of {plan.good}
      </span>
    </div>
  );
};
