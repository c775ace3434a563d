import { useEffect } from 'react';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/page.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Empty, ProblemNote } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { typeWords } from '../../ui/type-words.ts';
import { Id, Time } from '../../ui/value.tsx';
import type { Account } from '../accounts/read.ts';
import type { Link } from './chain.ts';
import './ledger.css';
import { Light } from './light.tsx';
import { type ChainCheck, useChain } from './use-chain.ts';

const columns: readonly Column<Link>[] = [
  { id: 'sequence', header: 'Link', cell: ({ sequence }) => `Link ${sequence}` },
  {
    id: 'what',
    header: 'Event',
    cell: ({ type, at }) => (
      <span className="chain-cell">
        <span>{typeWords(type)}</span>
        <span className="muted small">
          <Time at={at} />
        </span>
      </span>
    ),
  },
  {
    id: 'previous',
    header: 'Hash of the one before',
    isMinor: true,
    cell: ({ previousHash, follows }) => (
      <span className={follows === true ? 'hash-same' : follows === false ? 'hash-other' : ''}>
        <Id value={previousHash} short />
      </span>
    ),
  },
  {
    id: 'hash',
    header: 'Its own hash',
    isMinor: true,
    cell: ({ hash }) => <Id value={hash} short />,
  },
  {
    id: 'follows',
    header: 'Follows',
    cell: ({ follows, sequence }) =>
      follows === true
        ? `${sequence === 1 ? 'the start' : `link ${sequence - 1}`} ✓`
        : follows === false
          ? 'NOT the one before'
          : '–',
  },
  {
    id: 'position',
    header: 'Position',
    isMinor: true,
    cell: ({ position }) => <code>{position}</code>,
  },
];

/** What a chain that was read says: green only once it was read to its end. */
export const ChainLight = ({ check, of }: { check: ChainCheck; of?: number }) => {
  const { links, state } = check;
  const broken = links.find(({ follows }) => follows === false);
  if (state === 'idle') return <Light state="off">Each link follows the one before.</Light>;
  if (broken)
    return <Light state="bad">Link {broken.sequence} does not follow the one before.</Light>;
  if (state === 'reading') {
    return (
      <>
        <Light state="busy">{links.length} links so far.</Light>
        <Progress label="Links read" {...(of !== undefined && { done: links.length, of })} />
      </>
    );
  }
  if (state === 'failed') return <Light state="off">The log was not read to its end.</Light>;
  return (
    <Light state="good">
      {links.length === 0
        ? 'There is no link.'
        : `Links ${links[0]?.sequence} to ${links.at(-1)?.sequence}: each names the hash of the one before.`}
    </Light>
  );
};

/** The hash chain of an account, link by link, compared in this browser. */
export const Chain = ({ account: { id } }: { account: Account }) => {
  const { check, start } = useChain(id);
  useEffect(() => void start().catch(() => undefined), [start]);
  const { links, state, problem } = check;
  return (
    <div className="stack">
      <Card
        actions={
          <Button isBusy={state === 'reading'} onClick={() => void start().catch(() => undefined)}>
            Read again
          </Button>
        }
        title="The links compare"
      >
        <ChainLight check={check} />
        <p className="muted small">
          This page compares the hashes with each other. Whether each hash is that of its content,
          the service counts again under “Prove a month” and “Verify”.
        </p>
        {problem !== undefined && <ProblemNote problem={problem} />}
      </Card>
      <Table
        label="Links of the chain"
        columns={columns}
        rows={links}
        rowId={({ position }) => position}
        empty={state === 'done' ? <Empty title="No movement yet" /> : <span />}
      />
    </div>
  );
};
