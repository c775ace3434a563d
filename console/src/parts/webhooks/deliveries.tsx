import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useLookAgain, useRows } from '../../api/queries.ts';
import { useScope } from '../../session/session.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, Words } from '../../ui/value.tsx';
import { answerOf, type DeliveryState, readDeliveries, type WebhookDelivery } from './read.ts';
import { Resend } from './resend.tsx';

const states: readonly (readonly [DeliveryState | 'all', string])[] = [
  ['all', 'All'],
  ['waiting', 'Waiting'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
];

const columnsOf = (
  pathOf: (row: WebhookDelivery) => string,
): readonly Column<WebhookDelivery>[] => [
  {
    id: 'event',
    header: 'Event',
    cell: (row) => (
      <Link to={pathOf(row) as never}>
        <code>{row.event}</code>
      </Link>
    ),
  },
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { id: 'answer', header: 'Last answer', cell: (row) => <Words text={answerOf(row)} /> },
  { id: 'attempts', header: 'Calls', align: 'end', isMinor: true, cell: (row) => row.attempts },
  {
    id: 'latency',
    header: 'Took',
    align: 'end',
    isMinor: true,
    cell: ({ latencyMs }) => (latencyMs === null ? '–' : `${latencyMs} ms`),
  },
  {
    id: 'next',
    header: 'Next call',
    isMinor: true,
    cell: ({ nextAttemptAt }) =>
      nextAttemptAt === null ? '–' : <Time at={nextAttemptAt} form="ago" />,
  },
  {
    id: 'created',
    header: 'Began',
    isMinor: true,
    cell: ({ createdAt }) => <Time at={createdAt} />,
  },
];

/** What was and will be delivered: the newest first. */
export const Deliveries = ({ webhookId }: { webhookId: string }) => {
  const [state, setState] = useState<DeliveryState | 'all'>('all');
  const mayWrite = useScope('webhooks:write');
  const cache = useQueryClient();
  const navigate = useNavigate();
  const pathOf = ({ id }: WebhookDelivery) =>
    `/webhooks/${encodeURIComponent(webhookId)}/deliveries/${encodeURIComponent(id)}`;
  const list = useRows(['deliveries', webhookId, state], (cursor, signal) =>
    readDeliveries(webhookId, state === 'all' ? undefined : state, cursor, signal),
  );
  useLookAgain(['deliveries', webhookId], list.rows.length);
  const again = () => void cache.invalidateQueries({ queryKey: ['deliveries', webhookId] });
  const columns = [
    ...columnsOf(pathOf),
    ...(mayWrite
      ? [
          {
            id: 'resend',
            header: '',
            align: 'end' as const,
            cell: ({ id }: WebhookDelivery) => (
              <Resend webhookId={webhookId} deliveryId={id} onDone={again} />
            ),
          },
        ]
      : []),
  ];
  return (
    <div className="stack deliveries">
      <Choice label="State" options={states} value={state} choose={setState} />
      <Table
        label="Deliveries"
        columns={columns}
        rowId={({ id }) => id}
        onOpen={(row) => void navigate({ to: pathOf(row) } as never)}
        empty={
          <Empty title="No delivery">
            They begin with the next event that the webhook asks for, or with a test.
          </Empty>
        }
        {...list}
      />
    </div>
  );
};
