import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { readFilled } from '../../api/queries.ts';
import { useSession } from '../../session/session.tsx';
import { useAccountName } from '../../ui/account-field.tsx';
import { Card } from '../../ui/page.tsx';
import { Empty, QueryState } from '../../ui/states.tsx';
import { AttemptList, RefusalList } from '../attempts/attempt-list.tsx';
import { type Attempt, type Refusal, readAttempts, readRefusals } from '../attempts/read.ts';
import { contactIn, type Found, filtersFor, minuteIn } from './sought.ts';

interface Answered {
  attempts: readonly Attempt[];
  refusals: readonly Refusal[];
  /** Refusals of the last day, where nothing names whom they were for. */
  perhaps: readonly Refusal[];
  /** Whether the lists ended, so that what was not found is not there. */
  isWhole: boolean;
}

const DAY_MS = 86_400_000;

const newestFirst = (one: Attempt, other: Attempt) => (one.at < other.at ? 1 : -1);

const refusalsFor = (
  scope: Parameters<typeof readRefusals>[0],
  q: string,
  found: readonly Found[],
  signal: AbortSignal,
) => {
  const contact = contactIn(q);
  const asked = [
    ...(contact === undefined ? [] : [{ contact }]),
    ...found.flatMap((one) => minuteIn(one) ?? []),
  ];
  return Promise.all(
    asked.map((one) => readFilled((cursor) => readRefusals(scope, one, cursor, signal))),
  );
};

/** The rows of all pages, each once. */
const rowsOf = <Row,>(pages: readonly { rows: readonly Row[] }[], keyOf: (row: Row) => string) => [
  ...new Map(pages.flatMap(({ rows }) => rows.map((row) => [keyOf(row), row]))).values(),
];

/** Everything that was to be sent, and has to do with the text. */
const readAnswer = async (
  scope: Parameters<typeof readAttempts>[0],
  q: string,
  found: readonly Found[],
  signal: AbortSignal,
): Promise<Answered> => {
  const [sent, refused] = await Promise.all([
    Promise.all(
      filtersFor(q).map((filters) =>
        readFilled((cursor) => readAttempts(scope, filters, cursor, signal)),
      ),
    ),
    refusalsFor(scope, q, found, signal),
  ]);
  const attempts = rowsOf(sent, ({ id }) => id).toSorted(newestFirst);
  const refusals = rowsOf(refused, ({ minute, code }) => `${minute} ${code}`);
  const isWhole = [...sent, ...refused].every(({ nextCursor }) => nextCursor === null);
  const isNothing = attempts.length + refusals.length === 0;
  if (!isNothing || contactIn(q) === undefined) return { attempts, refusals, perhaps: [], isWhole };
  const since = new Date(Date.now() - DAY_MS).toISOString();
  const { rows: perhaps } = await readRefusals(scope, { since }, undefined, signal);
  return { attempts, refusals, perhaps, isWhole };
};

const whole = { error: null, isLoading: false, hasMore: false, isReadingMore: false } as const;
const still = { ...whole, readMore: () => undefined, refetch: () => undefined };

/** Where the whole list is, beyond what fits here. */
const AllOf = ({ q, accountId }: { q: string; accountId: string | undefined }) => {
  const contact = contactIn(q);
  const search = {
    ...(contact === undefined ? { reference: q } : { contact }),
    ...(accountId !== undefined && { account: accountId }),
  };
  return (
    <span className="row">
      {contact !== undefined && (
        <Link to={'/messages' as never} search={search as never}>
          Messages with this customer
        </Link>
      )}
      <Link to={'/attempts' as never} search={search as never}>
        As a list
      </Link>
    </span>
  );
};

/** What became of everything that was to be sent to this customer, for this order, by this request. */
export const Answer = ({
  q,
  found,
  accountId,
  otherwise,
}: {
  q: string;
  found: readonly Found[];
  accountId?: string;
  /** Shown where nothing was to be sent. */
  otherwise?: ReactNode;
}) => {
  const { session } = useSession();
  const name = useAccountName(accountId);
  const query = useQuery({
    queryKey: ['answer', accountId, q],
    queryFn: ({ signal }) => readAnswer({ session, accountId }, q, found, signal),
  });
  const { data } = query;
  const isContact = contactIn(q) !== undefined;
  const isEmpty = data && data.attempts.length + data.refusals.length === 0;
  if (isEmpty && !isContact && data.isWhole) return otherwise;
  const of = accountId === undefined ? '' : ` of ${name ?? 'the account'}`;
  return (
    <>
      <Card title={`Attempts${of}`} actions={<AllOf q={q} accountId={accountId} />}>
        <QueryState query={query} label="Looking for attempts" />
        {isEmpty && !data.isWhole && <p className="muted">None among the newest.</p>}
        {isEmpty && data.isWhole && (
          <Empty title="Nothing was sent to this number">
            Check its country code. Did the shop’s program ask for it at all? Your developers see
            that in their own log.
          </Empty>
        )}
        {data && data.attempts.length > 0 && (
          <AttemptList empty="" rows={data.attempts} {...still} />
        )}
        {data && !isEmpty && data.attempts.length === 0 && (
          <p className="muted">No attempt was made: it was refused before.</p>
        )}
      </Card>
      {isEmpty && otherwise}
      {data && data.refusals.length > 0 && (
        <Card title={`Refused before an attempt${of}`}>
          <RefusalList empty="" rows={data.refusals} {...still} />
        </Card>
      )}
      {data && data.perhaps.length > 0 && (
        <Card title="Refused in the last 24 hours, perhaps this one among them">
          <p className="muted small">
            Refusals are counted by the minute, with the last recipient.
          </p>
          <RefusalList empty="" rows={data.perhaps} {...still} />
        </Card>
      )}
    </>
  );
};
