import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useLookAgain, useRows } from '../../api/queries.ts';
import { rowStates } from '../../generated/tables.ts';
import { StateBadge } from '../../ui/badge.tsx';
import { SelectField } from '../../ui/field.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Words } from '../../ui/value.tsx';
import { WhyShort } from '../../ui/why.tsx';
import { type Job, type Row, type RowState, readRows } from './read.ts';

const columns: readonly Column<Row>[] = [
  { id: 'row', header: 'Row', cell: ({ row }) => `Row ${row}` },
  { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
  {
    id: 'wrong',
    header: 'What is wrong',
    cell: ({ error }) => {
      if (error === null) return null;
      return /^([A-Z_]+|\d+)$/.test(error) ? <WhyShort code={error} /> : <Words text={error} />;
    },
  },
  {
    id: 'message',
    header: 'Message',
    cell: ({ metaMessageId }) =>
      metaMessageId !== null && (
        <Link to={`/messages/${encodeURIComponent(metaMessageId)}` as never}>Its story</Link>
      ),
  },
];

const options = [
  { value: '', label: 'All' },
  ...rowStates.map((state) => ({ value: state, label: state })),
];

/** The rows of the file, with what is wrong with each. */
export const JobRows = ({ job: { id, state: jobState } }: { job: Job }) => {
  const [state, choose] = useState<RowState>();
  const all = ['job-rows', id, 'all'];
  // Rows of one state are sought in the whole file, so they are read anew only when the job has another state.
  const key = state === undefined ? all : ['job-rows', id, state, jobState];
  const list = useRows(key, (cursor, signal) => readRows(id, state, cursor, signal));
  useLookAgain(all, list.rows.length);
  return (
    <Card
      title="Rows"
      actions={
        <SelectField
          label="Rows that are"
          name="state"
          value={state ?? ''}
          options={options}
          onChange={({ target }) => choose((target.value || undefined) as RowState | undefined)}
        />
      }
    >
      <Table
        label="Rows of the job"
        columns={columns}
        rowId={({ row }) => String(row)}
        empty={<Empty title={state === undefined ? 'There are no rows' : `None is ${state}`} />}
        {...list}
      />
    </Card>
  );
};
