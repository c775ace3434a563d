import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useScope } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { ReadinessView } from '../../ui/readiness.tsx';
import { ProblemNote, QueryState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';

/** While templates are in review, the page looks again by itself. */
const REVIEW_POLL_MS = 2_000;

const readReadiness = (
  phoneNumberId: string | undefined,
  refresh: boolean,
  signal: AbortSignal | null = null,
) =>
  bodyOf(
    api.GET('/v1/notifications/events', {
      params: {
        query: { ...(phoneNumberId && { phoneNumberId }), ...(refresh && { refresh: 'true' }) },
      },
      signal,
    }),
  );

/** Submits what is missing, and asks the provider anew. */
const Verbs = ({
  phoneNumberId,
  isReady,
  onDone,
}: {
  phoneNumberId: string;
  isReady: boolean;
  onDone: () => Promise<void>;
}) => {
  const maySubmit = useScope('templates:write');
  const [busy, setBusy] = useState<'submit' | 'refresh'>();
  const [problem, setProblem] = useState<unknown>();
  const run = async (what: 'submit' | 'refresh', work: () => Promise<unknown>) => {
    setBusy(what);
    setProblem(undefined);
    try {
      await work();
      await onDone();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(undefined);
    }
  };
  const submit = async () => {
    const body = { phoneNumberId, onlyMissing: true };
    const { submitted, existing, failed } = await bodyOf(
      api.POST('/v1/notifications/templates/submit', { body }),
    );
    toast(`${submitted} submitted, ${existing} were there, ${failed} refused`);
  };
  return (
    <>
      <Button
        isBusy={busy === 'refresh'}
        onClick={() => void run('refresh', () => readReadiness(phoneNumberId, true))}
      >
        Ask WhatsApp
      </Button>
      {maySubmit && !isReady && (
        <Button
          tone="primary"
          isBusy={busy === 'submit'}
          onClick={() => void run('submit', submit)}
        >
          {busy === 'submit' ? 'Submitting…' : 'Submit what is missing'}
        </Button>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
    </>
  );
};

/** Which events can be sent; the account's oldest number where none is chosen. */
export const Readiness = ({ phoneNumberId }: { phoneNumberId: string | undefined }) => {
  const cache = useQueryClient();
  const queryKey = ['readiness', phoneNumberId];
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => readReadiness(phoneNumberId, false, signal),
    refetchInterval: ({ state }) =>
      state.data?.events.some(({ status }) => status === 'PENDING') ? REVIEW_POLL_MS : false,
  });
  const { data } = query;
  if (query.error || !data) return <QueryState query={query} />;
  return (
    <ReadinessView
      readiness={data}
      actions={
        <Verbs
          phoneNumberId={data.phoneNumberId}
          isReady={data.ready === data.total}
          onDone={() => cache.invalidateQueries({ queryKey })}
        />
      }
    />
  );
};
