import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Page } from '../../ui/page.tsx';
import { Runbook } from '../../ui/runbook.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, Words } from '../../ui/value.tsx';

const states = [
  ['open', 'Open'],
  ['resolved', 'Resolved'],
  ['dismissed', 'Dismissed'],
] as const;
type State = (typeof states)[number][0];

const read = async (state: State, cursor: string | undefined, signal: AbortSignal) => {
  const query = { limit: 50, state, cursor };
  const { deadLetters, nextCursor } = await bodyOf(
    api.GET('/admin/v1/dead-letters', { params: { query }, signal }),
  );
  return { rows: deadLetters, nextCursor };
};

type Row = Awaited<ReturnType<typeof read>>['rows'][number];

const columns: readonly Column<Row>[] = [
  { id: 'field', header: 'Notice', cell: ({ field }) => field },
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  { id: 'reason', header: 'Why', cell: ({ reason }) => <Words text={reason} /> },
  { id: 'retries', header: 'Retries', align: 'end', isMinor: true, cell: ({ retries }) => retries },
  { id: 'at', header: 'Arrived', isMinor: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
];

/** What WhatsApp sent and could not be taken in. */
export const DeadLetters = () => {
  const [state, choose] = useState<State>('open');
  const navigate = useNavigate();
  const list = useRows(['dead-letters', state], (cursor, signal) => read(state, cursor, signal));
  return (
    <Page
      title="Dead letters"
      lead="What WhatsApp sent and the service could not take in. Nothing of it is lost."
      actions={<Choice label="State" options={states} value={state} choose={choose} />}
    >
      {state === 'open' && list.rows.length > 0 && (
        <p>
          Each waits for a decision. <Runbook of="deadLetters" />
        </p>
      )}
      <Table
        label="Dead letters"
        columns={columns}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: `/dead-letters/${id}` } as never)}
        empty={<Empty title={state === 'open' ? 'Nothing waits for you' : `None is ${state}`} />}
        {...list}
      />
    </Page>
  );
};
