import type { ReactNode } from 'react';
import type { components } from '../api/reference.ts';
import { Badge, StateBadge } from './badge.tsx';
import { filled } from './preview.tsx';
import { type Column, Table } from './table.tsx';
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

/** Which events of the catalog a number can send, and what stands against the others. */
export const ReadinessView = ({
  readiness: { ready, total, health, events },
  actions,
}: {
  readiness: Readiness;
  actions?: ReactNode;
}) => (
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
      {actions && <span className="row">{actions}</span>}
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
