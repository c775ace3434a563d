import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useScope, useSeesContents } from '../../session/session.tsx';
import { Ask } from '../../ui/ask.tsx';
import { Button } from '../../ui/button.tsx';
import { ProblemNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { downloadResult, isMoving, type Job, jobKey, pathOf, retryJob, verbs } from './read.ts';

/** What can be done with a job in its state. */
export const JobVerbs = ({ job }: { job: Job }) => {
  const { id, state, plan, counts } = job;
  const cache = useQueryClient();
  const navigate = useNavigate();
  const seesContents = useSeesContents();
  const maySend = useScope('notifications:send');
  const [problem, setProblem] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const act = async (verb: keyof typeof verbs) => {
    const after = await verbs[verb](id);
    await cache.cancelQueries({ queryKey: jobKey(id) });
    cache.setQueryData(jobKey(id), after);
  };
  const retry = async () => {
    const next = await retryJob(id);
    toast('A new job of the rows that did not arrive is made');
    await navigate({ to: pathOf(next) } as never);
  };
  const button = (
    label: string,
    work: () => Promise<void>,
    tone: 'plain' | 'primary' = 'plain',
  ) => (
    <Button
      tone={tone}
      isBusy={isBusy}
      onClick={() => {
        setBusy(true);
        setProblem(undefined);
        void work()
          .catch(setProblem)
          .finally(() => setBusy(false));
      }}
    >
      {label}
    </Button>
  );
  const isOpen = isMoving(job) || state === 'ready' || state === 'paused';
  return (
    <>
      {maySend && (
        <>
          {plan &&
            plan.good > 0 &&
            state === 'ready' &&
            button('Start', () => act('start'), 'primary')}
          {state === 'paused' && button('Go on', () => act('resume'), 'primary')}
          {(state === 'queued' || state === 'running') && button('Pause', () => act('pause'))}
          {!isOpen && counts.failed + counts.refused > 0 && button('Retry what failed', retry)}
        </>
      )}
      {plan && seesContents && button('Download the result', () => downloadResult(id))}
      {maySend && isOpen && (
        <Ask
          label="Cancel"
          title="Cancel the job"
          action="Cancel the job"
          tone="danger"
          submit={() => act('cancel')}
        >
          <p>What waits is never sent, and costs nothing. What was sent stays sent.</p>
        </Ask>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
    </>
  );
};
