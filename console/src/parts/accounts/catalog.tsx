import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import type { components } from '../../generated/reference.ts';
import { useMayWrite } from '../../session/session.tsx';
import { Badge, StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Empty, ProblemNote, Spinner } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Words } from '../../ui/value.tsx';
import { type Account, numbersKey, readNumbers } from './read.ts';

type Entry = components['schemas']['ReadinessEntry'];

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

const columns: readonly Column<Entry>[] = [
  {
    id: 'event',
    header: 'Event',
    cell: ({ title, event }) => (
      <span className="two-lines">
        <span>{title}</span>
        <code className="muted">{event}</code>
      </span>
    ),
  },
  {
    id: 'status',
    header: 'Template',
    cell: ({ status, statusReason }) => (
      <span className="two-lines">
        <StateBadge state={status.toLowerCase().replaceAll('_', ' ')} />
        {statusReason && <Words text={statusReason} />}
      </span>
    ),
  },
  { id: 'category', header: 'Category', isMinor: true, cell: ({ category }) => category },
  { id: 'group', header: 'Group', isMinor: true, cell: ({ group }) => group },
  {
    id: 'preview',
    header: 'Text',
    isMinor: true,
    cell: ({ preview }) => (
      <span className="muted small">
        <Words text={preview} />
      </span>
    ),
  },
];

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
        Ask the provider
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
  const { data, error, refetch } = useQuery({
    queryKey: readinessKey(phoneNumberId),
    queryFn: ({ signal }) => readReadiness(phoneNumberId, false, signal),
    refetchInterval: ({ state }) =>
      state.data?.events.some(({ status }) => status === 'PENDING') ? REVIEW_POLL_MS : false,
  });
  if (error) return <ProblemNote problem={error} again={() => void refetch()} />;
  if (!data) return <Spinner />;
  const { ready, total, health, events } = data;
  const isReady = ready === total;
  return (
    <>
      <div className="catalog-head">
        <span className="row">
          <Badge tone={isReady ? 'good' : ready > 0 ? 'warn' : 'neutral'}>
            {ready} of {total} ready
          </Badge>
          <Badge tone={health.canSend ? 'good' : 'bad'}>
            {health.canSend ? 'the number can send' : 'the number cannot send'}
          </Badge>
        </span>
        {mayWrite && (
          <span className="row">
            <Submit phoneNumberId={phoneNumberId} isReady={isReady} />
          </span>
        )}
      </div>
      {health.blockers.length > 0 && (
        <div className="note note-bad">
          {health.blockers.map((words) => (
            <div key={words}>
              <Words text={words} />
            </div>
          ))}
        </div>
      )}
      <Table label="Events of the catalog" columns={columns} rows={events} rowId={(e) => e.event} />
    </>
  );
};

/** Which events of the catalog can be sent from a number of the account. */
export const Catalog = ({ account: { id } }: { account: Account }) => {
  const { rows, isLoading, error, refetch } = useRows(numbersKey(id), readNumbers(id));
  const [chosen, setChosen] = useState<string>();
  if (isLoading) return <Spinner />;
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
            label: `${row.displayPhoneNumber} (${row.phoneNumberId})`,
          }))}
        />
      )}
      <Readiness key={phoneNumberId} phoneNumberId={phoneNumberId} />
    </div>
  );
};
