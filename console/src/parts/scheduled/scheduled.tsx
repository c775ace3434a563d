import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useLookAgain, useRows } from '../../api/queries.ts';
import type { components } from '../../api/reference.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { eventWords, Phone, Time, Words } from '../../ui/value.tsx';
import { VerbMenu } from '../../ui/verbs.tsx';
import { WhyShort } from '../../ui/why.tsx';

type Scheduled = components['schemas']['ScheduledSend'];

const KEY = ['scheduled'];

const states = [
  ['waiting', 'Waiting'],
  ['sent', 'Sent'],
  ['refused', 'Refused'],
  ['cancelled', 'Cancelled'],
] as const;
type State = (typeof states)[number][0];

const read = async (state: State, cursor: string | undefined, signal: AbortSignal) => {
  const query = { limit: 50, state, cursor };
  const { scheduled, nextCursor } = await bodyOf(
    api.GET('/v1/scheduled', { params: { query }, signal }),
  );
  return { rows: scheduled, nextCursor };
};

const columns: readonly Column<Scheduled>[] = [
  { id: 'to', header: 'Customer', cell: ({ to }) => <Phone of={to} /> },
  {
    id: 'what',
    header: 'Message',
    cell: ({ event, metaMessageId }) => {
      const words = eventWords(event ?? 'message');
      if (metaMessageId === null) return words;
      return <Link to={`/messages/${encodeURIComponent(metaMessageId)}` as never}>{words}</Link>;
    },
  },
  {
    id: 'due',
    header: 'Due',
    cell: ({ dueAt, rule }) => (
      <span className="two-lines">
        <Time at={dueAt} />
        {/* Null for a role without contents, as every text is. */}
        {rule.text !== null && (
          <span className="muted small">
            <Words text={rule.text} />
          </span>
        )}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    cell: ({ state, error, problems }) => (
      <span className="two-lines">
        <StateBadge state={state} />
        {error && <WhyShort code={String(error.providerCode ?? error.reason ?? error.code)} />}
        {state === 'waiting' && problems.length > 0 && (
          <span className="muted small">{problems.join(', ').replaceAll('_', ' ')}</span>
        )}
      </span>
    ),
  },
];

const Verbs = ({ row: { id, to }, onDone }: { row: Scheduled; onDone: () => void }) => {
  const params = { path: { scheduleId: id } };
  return (
    <VerbMenu
      label={`More to do with the message to ${to === null ? 'nobody' : `+${to}`}`}
      verbs={[
        {
          label: 'Send now',
          title: 'Send it now',
          async submit() {
            await api.POST('/v1/scheduled/{scheduleId}/send-now', { params });
            toast('It goes out now');
            onDone();
          },
          ask: <p>It goes out at once, whatever its time. It is charged as a send of now.</p>,
        },
        {
          label: 'Cancel',
          title: 'Cancel the message',
          action: 'Cancel it',
          tone: 'danger',
          async submit() {
            await api.DELETE('/v1/scheduled/{scheduleId}', { params });
            toast('It is cancelled');
            onDone();
          },
          ask: <p>It is never sent, and costs nothing.</p>,
        },
      ]}
    />
  );
};

/** What goes out later: by its own time, or because of quiet hours. */
export const Scheduled = () => {
  const [state, choose] = useState<State>('waiting');
  const cache = useQueryClient();
  const list = useRows([...KEY, state], (cursor, signal) => read(state, cursor, signal));
  useLookAgain(KEY, list.rows.length);
  const again = () => void cache.invalidateQueries({ queryKey: KEY });
  const verbs: Column<Scheduled> = {
    id: 'verbs',
    header: '',
    align: 'end',
    cell: (row) => <Verbs row={row} onDone={again} />,
  };
  return (
    <Page
      title="Scheduled"
      lead="What goes out later. Nothing is charged before."
      actions={<Choice label="State" options={states} value={state} choose={choose} />}
    >
      <Table
        label="Scheduled messages"
        columns={state === 'waiting' ? [...columns, verbs] : columns}
        rowId={({ id }) => id}
        empty={
          state === 'waiting' ? (
            <Empty title="Nothing waits">
              Messages wait here that your program sends with a time of their own, or that quiet
              hours hold.
            </Empty>
          ) : (
            <Empty title={`None is ${state}`} />
          )
        }
        {...list}
      />
    </Page>
  );
};
