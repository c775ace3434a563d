import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import { useMayWrite } from '../../session/session.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { Runbook } from '../../ui/runbook.tsx';
import { QueryState } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Words } from '../../ui/value.tsx';
import './operations.css';

type Projection = components['schemas']['Projection'];
type Partition = components['schemas']['Partition'];

const lagOf = (lag: number | null): string =>
  lag === null
    ? 'unknown'
    : lag < 1_000
      ? `${Math.round(lag)} ms`
      : `${(lag / 1_000).toFixed(1)} s`;

const Rebuild = ({ name, onDone }: { name: string; onDone: () => void }) => {
  const [isOpen, setOpen] = useState(false);
  const submit = async () => {
    await api.POST('/admin/v1/projections/{name}/rebuild', { params: { path: { name } } });
    toast(`${name} is being rebuilt`);
    onDone();
  };
  return (
    <>
      <Button tone="quiet" onClick={() => setOpen(true)} aria-label={`Rebuild ${name}`}>
        Rebuild
      </Button>
      <FormDialog
        title={`Rebuild ${name}`}
        action="Rebuild"
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submit={submit}
      >
        <p>It is filled anew from the log. The old one serves until the new one has caught up.</p>
      </FormDialog>
    </>
  );
};

const Halted = ({ projections }: { projections: readonly Projection[] }) => {
  const halted = projections.filter(({ error }) => error !== null);
  return halted.map(({ name, error }) => (
    <div className="note note-bad" key={name}>
      <strong>{name} has halted.</strong> <Words text={error?.message ?? ''} />
      <p className="small">
        Stream <code>{error?.stream}</code>, position <code>{error?.position ?? 'unknown'}</code>.
        Sends go on; what this read model shows is old. Mend the cause, then rebuild it.{' '}
        <Runbook of="projections" />
      </p>
    </div>
  ));
};

const nameOf = (worker: string | null) => worker?.slice(-12) ?? 'nobody';

const Partitions = ({ partitions }: { partitions: readonly Partition[] }) => (
  <Card title="Partitions, who fills them, and who runs their reactors">
    <ul className="partitions">
      {partitions.map(({ partition, worker, reactors, lag }) => (
        <li key={partition} className={worker === null ? 'unheld' : ''}>
          <strong>{partition}</strong>
          <span className="muted small">{nameOf(worker)}</span>
          <span className="muted small">reactors: {nameOf(reactors)}</span>
          <span className="muted small">{lagOf(lag)}</span>
          {worker === null && <Runbook of="partitions" />}
        </li>
      ))}
    </ul>
  </Card>
);

/** How far each read model has read the log. */
export const Projections = () => {
  const mayWrite = useMayWrite();
  const cache = useQueryClient();
  const query = useQuery({
    queryKey: ['projections'],
    queryFn: ({ signal }) => bodyOf(api.GET('/admin/v1/projections', { signal })),
    refetchInterval: 2_000,
  });
  const { data } = query;
  const again = () => void cache.invalidateQueries({ queryKey: ['projections'] });
  const columns: readonly Column<Projection>[] = [
    { id: 'name', header: 'Read model', cell: ({ name }) => <strong>{name}</strong> },
    { id: 'state', header: 'State', cell: ({ state }) => <StateBadge state={state} /> },
    { id: 'lag', header: 'Lag', align: 'end', cell: ({ lag }) => lagOf(lag) },
    {
      id: 'position',
      header: 'Position',
      isMinor: true,
      cell: ({ position, rebuild }) => (
        <span>
          <code>{position}</code>
          {rebuild && <span className="muted small"> rebuild at {rebuild.position}</span>}
        </span>
      ),
    },
    { id: 'version', header: 'Version', align: 'end', isMinor: true, cell: (row) => row.version },
    ...(mayWrite
      ? [
          {
            id: 'actions',
            header: '',
            align: 'end' as const,
            cell: ({ name }: Projection) => <Rebuild name={name} onDone={again} />,
          },
        ]
      : []),
  ];
  return (
    <Page title="Projections" lead="Read models are folds of the log, and can always be made anew.">
      <QueryState query={query} />
      {data && (
        <>
          <Halted projections={data.projections} />
          <Table
            label="Projections"
            columns={columns}
            rows={data.projections}
            rowId={({ name }) => name}
          />
          <Partitions partitions={data.partitions} />
        </>
      )}
    </Page>
  );
};
