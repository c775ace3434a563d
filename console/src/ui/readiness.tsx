import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { components } from '../api/reference.ts';
import { ActButton } from './act-button.tsx';
import { Badge, StateBadge } from './badge.tsx';
import { filled } from './preview.tsx';
import { QueryState } from './states.tsx';
import { type Column, Table } from './table.tsx';
import { toast } from './toast.tsx';
import { Words } from './value.tsx';
import './readiness.css';

type Entry = components['schemas']['ReadinessEntry'];

interface Readiness {
  ready: number;
  total: number;
  health: { canSend: boolean; blockers: readonly string[] };
  events: readonly Entry[];
}

const columns: readonly Column<Entry>[] = [
  {
    id: 'event',
    header: 'Event',
    cell: ({ title, event }) => (
      <span className="two-lines">
        <span>{title}</span>
        <span className="muted small">{event}</span>
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
  {
    id: 'category',
    header: 'Category',
    isMinor: true,
    cell: ({ category }) => category.toLowerCase(),
  },
  { id: 'group', header: 'Group', isMinor: true, cell: ({ group }) => group },
  {
    id: 'preview',
    header: 'Text',
    isMinor: true,
    cell: ({ preview, variables }) => (
      <span className="muted small">
        <Words text={filled(preview, [], variables)} />
      </span>
    ),
  },
];

/** While templates are in review, the page looks again by itself. */
const REVIEW_POLL_MS = 2_000;

interface Props {
  queryKey: readonly unknown[];
  /** Anew: WhatsApp is asked first. */
  read: (isAnew: boolean, signal?: AbortSignal) => Promise<Readiness>;
  mayAsk?: boolean;
  /** Submits what is missing; left out where the viewer may not. */
  submit?: (() => Promise<{ submitted: number; existing: number; failed: number }>) | false;
}

/** Which events of the catalog a number can send, and what stands against the others. */
export const CatalogReadiness = ({ queryKey, read, mayAsk = true, submit }: Props) => {
  const cache = useQueryClient();
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => read(false, signal),
    refetchInterval: ({ state }) =>
      state.data?.events.some(({ status }) => status === 'PENDING') ? REVIEW_POLL_MS : false,
  });
  const { data } = query;
  if (query.error || !data) return <QueryState query={query} />;
  const { ready, total, health, events } = data;
  const ask = async () => {
    await read(true);
    await cache.invalidateQueries({ queryKey });
  };
  const submitMissing = async () => {
    if (!submit) return;
    const { submitted, existing, failed } = await submit();
    toast(`${submitted} submitted, ${existing} were there, ${failed} refused`);
    await cache.invalidateQueries({ queryKey });
  };
  return (
    <>
      <div className="catalog-head">
        <span className="row">
          <Badge tone={ready === total ? 'good' : ready > 0 ? 'warn' : 'neutral'}>
            {ready} of {total} ready
          </Badge>
          <Badge tone={health.canSend ? 'good' : 'bad'}>
            {health.canSend ? 'the number can send' : 'the number cannot send'}
          </Badge>
        </span>
        <span className="row">
          {mayAsk && <ActButton act={ask}>Ask WhatsApp</ActButton>}
          {submit && ready < total && (
            <ActButton tone="primary" act={submitMissing}>
              Submit what is missing
            </ActButton>
          )}
        </span>
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
