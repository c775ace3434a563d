import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMayWrite } from '../../session/session.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Card, Facts, Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Id, Time } from '../../ui/value.tsx';
import './ledger.css';
import { readSeals, type Seal } from './read.ts';
import { SealNow } from './seal-now.tsx';

const columns: readonly Column<Seal>[] = [
  { id: 'number', header: 'Seal', cell: ({ number }) => `Seal ${number}` },
  { id: 'at', header: 'Time', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'accounts',
    header: 'Accounts',
    align: 'end',
    isMinor: true,
    cell: ({ accounts }) => accounts,
  },
  {
    id: 'size',
    header: 'Entries',
    align: 'end',
    isMinor: true,
    cell: ({ size }) => size ?? '–',
  },
  {
    id: 'position',
    header: 'Position',
    isMinor: true,
    cell: ({ position }) => <code>{position}</code>,
  },
  { id: 'root', header: 'Root', cell: ({ root }) => <Id value={root} short /> },
];

const delivered = (number: number): string => (number === 0 ? 'none' : `up to seal ${number}`);

/** Signed statements of all chains: what makes a changed log show. */
export const Seals = () => {
  const mayWrite = useMayWrite();
  const [shown, setShown] = useState<Seal>();
  const query = useInfiniteQuery({
    queryKey: ['seals'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readSeals(pageParam, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const pages = query.data?.pages ?? [];
  const info = pages.at(-1)?.page;
  return (
    <Page
      title="Seals"
      lead="Each signs all movements and records up to its position. One is made a day."
      actions={mayWrite && <SealNow />}
    >
      {info && (
        <Card title="Delivery">
          <Facts
            rows={[
              ['Key of new seals', <Id key="key" value={info.key} />],
              ['To the file', delivered(info.delivered.file)],
              ['To the address', delivered(info.delivered.url)],
            ]}
          />
        </Card>
      )}
      <Table
        label="Seals"
        columns={columns}
        rows={pages.flatMap(({ rows }) => rows)}
        rowId={({ number }) => String(number)}
        onOpen={setShown}
        empty={
          <Empty title="No seal yet">The first is made within a day of the first movement.</Empty>
        }
        error={query.error}
        isLoading={query.isLoading}
        isReadingMore={query.isFetchingNextPage}
        hasMore={query.hasNextPage}
        readMore={() => void query.fetchNextPage()}
        refetch={() => void query.refetch()}
      />
      <Dialog
        title={`Seal ${shown?.number}`}
        isOpen={shown !== undefined}
        onClose={() => setShown(undefined)}
      >
        <p>The signed note, as it is delivered and as proofs hold it.</p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <pre className="json" tabIndex={0}>
          {shown?.note}
        </pre>
      </Dialog>
    </Page>
  );
};
