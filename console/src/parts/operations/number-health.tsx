import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import type { components } from '../../api/reference.ts';
import { AccountLink } from '../../ui/account-field.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Page } from '../../ui/page.tsx';
import { Runbook } from '../../ui/runbook.tsx';
import { Empty } from '../../ui/states.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time, Words } from '../../ui/value.tsx';

type NumberHealth = components['schemas']['NumberHealth'];
type Problem = NumberHealth['problems'][number];

const read = async (cursor: string | undefined, signal: AbortSignal) => {
  const query = { limit: 100, cursor };
  const { numbers, nextCursor } = await bodyOf(
    api.GET('/admin/v1/numbers/health', { params: { query }, signal }),
  );
  return { rows: numbers, nextCursor };
};

/** What is wrong, and what is done about it. */
const words: Readonly<Record<Problem, string>> = {
  token: 'No access token: it cannot send. Set one.',
  registration: 'Not registered: register it with its PIN.',
  quality: 'Its quality is red: WhatsApp throttles it. Send less marketing.',
  blocked: 'WhatsApp blocks it.',
  subscription: 'No statuses and messages come: refresh it, which subscribes again.',
  silent: 'No status has come for what it sent.',
};

const State = ({ row }: { row: NumberHealth }) => {
  const { problems, waitingSince, blockers, limits } = row;
  if (problems.length === 0 && limits.length === 0) return <Badge tone="good">all is well</Badge>;
  return (
    <span className="stack">
      {problems.map((problem) => (
        <span key={problem} className="two-lines">
          <Badge tone="bad">{problem === 'silent' ? 'silent' : problem}</Badge>
          <span className="small">
            {words[problem]}{' '}
            {problem === 'silent' && waitingSince !== null && (
              <>
                It waits since <Time at={waitingSince} />. <Runbook of="silent" />
              </>
            )}
          </span>
        </span>
      ))}
      {[...blockers, ...limits].map((text) => (
        <span key={text} className="muted small">
          <Words text={text} />
        </span>
      ))}
    </span>
  );
};

const columns: readonly Column<NumberHealth>[] = [
  {
    id: 'number',
    header: 'Number',
    cell: ({ displayPhoneNumber, phoneNumberId }) => (
      <Words text={displayPhoneNumber || phoneNumberId} />
    ),
  },
  { id: 'state', header: 'State', cell: (row) => <State row={row} /> },
  { id: 'account', header: 'Account', cell: ({ accountId }) => <AccountLink id={accountId} /> },
  {
    id: 'quality',
    header: 'Quality',
    isMinor: true,
    cell: ({ qualityRating }) => qualityRating?.toLowerCase() ?? 'not known',
  },
  {
    id: 'limit',
    header: 'Customers a day',
    isMinor: true,
    cell: ({ messagingLimit }) =>
      messagingLimit?.replace(/^TIER_/, '').toLowerCase() ?? 'not known',
  },
];

/** The numbers of all accounts: those with a problem first. */
export const NumberHealthPage = () => {
  const navigate = useNavigate();
  const { rows, ...list } = useRows(['number-health'], read);
  const sorted = useMemo(
    () => rows.toSorted((one, other) => other.problems.length - one.problems.length),
    [rows],
  );
  return (
    <Page title="Number health" lead="The numbers of all accounts, those with a problem first.">
      <Table
        label="Numbers"
        columns={columns}
        rows={sorted}
        rowId={({ phoneNumberId }) => phoneNumberId}
        onOpen={({ accountId }) =>
          void navigate({ to: `/accounts/${accountId}`, search: { tab: 'numbers' } } as never)
        }
        empty={<Empty title="No number yet">Link one on the page of its account.</Empty>}
        {...list}
      />
    </Page>
  );
};
