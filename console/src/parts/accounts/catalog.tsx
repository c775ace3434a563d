import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useMayWrite } from '../../session/session.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { ReadinessView } from '../../ui/readiness.tsx';
import { Empty, ProblemNote, QueryState, Skeleton } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { type Account, numbersKey, readNumbers } from './read.ts';

const readinessKey = (phoneNumberId: string) => ['accounts', 'readiness', phoneNumberId];

/** While templates are in review, the page looks again by itself. */
const REVIEW_POLL_MS = 1_000;

const readReadiness = (phoneNumberId: string, refresh: boolean, signal?: AbortSignal) =>
  bodyOf(
    api.GET('/admin/v1/numbers/{phoneNumberId}/readiness', {
      params: { path: { phoneNumberId }, query: refresh ? { refresh: 'true' } : {} },
      ...(signal && { signal }),
    }),
  );

/** Submits what is missing, and reads what became of the reviews. */
const Submit = ({ phoneNumberId, isReady }: { phoneNumberId: string; isReady: boolean }) => {
  const cache = useQueryClient();
  const [busy, setBusy] = useState<'submit' | 'refresh'>();
  const [problem, setProblem] = useState<unknown>();
  const params = { path: { phoneNumberId } };
  const run = async (what: 'submit' | 'refresh', work: () => Promise<unknown>) => {
    setBusy(what);
    setProblem(undefined);
    try {
      await work();
      await cache.invalidateQueries({ queryKey: readinessKey(phoneNumberId) });
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(undefined);
    }
  };
  const submit = async () => {
    const { submitted, existing, failed } = await bodyOf(
      api.POST('/admin/v1/numbers/{phoneNumberId}/catalog/submit', {
        params,
        body: { onlyMissing: true },
      }),
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
      {!isReady && (
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

const Readiness = ({ phoneNumberId }: { phoneNumberId: string }) => {
  const mayWrite = useMayWrite();
  const query = useQuery({
    queryKey: readinessKey(phoneNumberId),
    queryFn: ({ signal }) => readReadiness(phoneNumberId, false, signal),
    refetchInterval: ({ state }) =>
      state.data?.events.some(({ status }) => status === 'PENDING') ? REVIEW_POLL_MS : false,
  });
  const { data } = query;
  if (query.error || !data) return <QueryState query={query} />;
  const isReady = data.ready === data.total;
  return (
    <ReadinessView
      readiness={data}
      actions={mayWrite && <Submit phoneNumberId={phoneNumberId} isReady={isReady} />}
    />
  );
};

/** Which events of the catalog can be sent from a number of the account. */
export const Catalog = ({ account: { id } }: { account: Account }) => {
  const { rows, isLoading, error, refetch } = useRows(numbersKey(id), readNumbers(id));
  const [chosen, setChosen] = useState<string>();
  if (isLoading) return <Skeleton rows={8} />;
  if (error) return <ProblemNote problem={error} again={refetch} />;
  const phoneNumberId = chosen ?? rows[0]?.phoneNumberId;
  if (phoneNumberId === undefined) {
    return (
      <Empty title="No number yet">The catalog is submitted for a number: link one first.</Empty>
    );
  }
  return (
    <div className="stack">
      {rows.length > 1 && (
        <SelectField
          label="Number"
          name="number"
          value={phoneNumberId}
          onChange={({ target }) => setChosen(target.value)}
          options={rows.map((row) => ({
            value: row.phoneNumberId,
            label: row.displayPhoneNumber || row.phoneNumberId,
          }))}
        />
      )}
      <Readiness key={phoneNumberId} phoneNumberId={phoneNumberId} />
    </div>
  );
};
