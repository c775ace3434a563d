import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useAccount } from '../../layout/shop.tsx';
import { useScope } from '../../session/session.tsx';
import { Ask, textIn } from '../../ui/ask.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Card, Page, Stat } from '../../ui/page.tsx';
import { Empty, ProblemNote, QueryState } from '../../ui/states.tsx';
import { Table } from '../../ui/table.tsx';
import { toast } from '../../ui/toast.tsx';
import { Amount } from '../../ui/value.tsx';
import { MovementFilters, movementColumns } from './ledger.tsx';
import './ledger.css';
import { DownloadMovements } from './download-movements.tsx';
import {
  chargeIn,
  downloadStatement,
  type LedgerFilters,
  readMovements,
  type StatementFormat,
  statementFormats,
  thisMonth,
} from './read.ts';

/** A week of hours: what one day takes is its seventh. */
const WEEK_HOURS = 168;
const DAYS = 7;

const readBalance = async (mayLookBack: boolean, signal: AbortSignal) => {
  const query = { hours: WEEK_HOURS };
  const [credits, wallet, overview] = await Promise.all([
    bodyOf(api.GET('/v1/credits', { signal })),
    bodyOf(api.GET('/v1/wallet', { signal })),
    // The balance is shown without it.
    mayLookBack
      ? bodyOf(api.GET('/v1/overview', { params: { query }, signal })).catch(() => undefined)
      : undefined,
  ]);
  return { credits: credits.balance, wallet, money: overview?.money };
};

/** How long the balance lasts if every day takes what the last seven took on average. */
const lastsFor = (balance: number, spent: number): string => {
  if (spent <= 0) return 'nothing was spent in the last 7 days';
  const days = Math.floor((balance / spent) * DAYS);
  if (days < 1) return 'less than a day at this rate';
  return days > 365
    ? 'more than a year at this rate'
    : `${days} ${days === 1 ? 'day' : 'days'} at this rate`;
};

const Tiles = () => {
  const account = useAccount();
  const mayLookBack = useScope('messages:read');
  const query = useQuery({
    queryKey: ['balance'],
    queryFn: ({ signal }) => readBalance(mayLookBack, signal),
    refetchInterval: 10_000,
  });
  const { data } = query;
  if (!data || !account) return <QueryState query={query} />;
  const isWallet = account.billing === 'wallet';
  const unit = isWallet ? account.currency : 'credits';
  const balance = isWallet ? data.wallet.balance : String(data.credits);
  const spending = data.money?.find((one) => one.unit === unit);
  const spent = spending ? Number(spending.charged) - Number(spending.refunded) : 0;
  const { balanceLow } = account.limits;
  const isLow = balanceLow !== null && Number(balance) < Number(balanceLow);
  return (
    <div className="tiles">
      <Stat name="Balance" isBad={isLow} note={data.money && lastsFor(Number(balance), spent)}>
        <Amount value={balance} unit={unit} />
      </Stat>
      {data.money && (
        <>
          <Stat name="Charged in 7 days">
            <Amount value={spending?.charged ?? '0'} unit={unit} />
          </Stat>
          <Stat name="Refunded in 7 days">
            <Amount value={spending?.refunded ?? '0'} unit={unit} />
          </Stat>
        </>
      )}
      <Stat
        name="Warns below"
        note={balanceLow === null ? 'Nobody is told.' : 'Your webhooks are told.'}
      >
        {balanceLow === null ? 'not set' : <Amount value={balanceLow} unit={unit} />}
      </Stat>
    </div>
  );
};

/** The months of which there may be a statement, the newest first. */
const months = (count: number): readonly string[] => {
  const [year = 0, month = 1] = thisMonth().split('-').map(Number);
  return Array.from({ length: count }, (_, at) =>
    new Date(Date.UTC(year, month - 1 - at, 1)).toISOString().slice(0, 7),
  );
};

const SHOWN_MONTHS = 4;
/** Those before are chosen. */
const ALL_MONTHS = 60;

const Formats = ({
  month,
  take,
}: {
  month: string;
  take: (month: string, format: StatementFormat) => void;
}) => (
  <span>
    {statementFormats.map(([format, words]) => (
      <Button
        key={format}
        tone="quiet"
        aria-label={`${words}: the statement of ${month}`}
        onClick={() => take(month, format)}
      >
        {words}
      </Button>
    ))}
  </span>
);

const Statements = () => {
  const [problem, setProblem] = useState<unknown>();
  const [earlier, choose] = useState(() => months(SHOWN_MONTHS + 1).at(-1) ?? '');
  const take = (month: string, format: StatementFormat) => {
    setProblem(undefined);
    downloadStatement(month, format).catch(setProblem);
  };
  return (
    <Card title="Statements">
      <ul className="rank statements">
        {months(SHOWN_MONTHS).map((month, at) => (
          <li key={month}>
            <Link to={'/credits/month' as never} search={{ month } as never}>
              {month} {at === 0 && <span className="muted">so far</span>}
            </Link>
            <Formats month={month} take={take} />
          </li>
        ))}
        <li>
          <select
            aria-label="An earlier month"
            value={earlier}
            onChange={({ target }) => choose(target.value)}
          >
            {months(ALL_MONTHS)
              .slice(SHOWN_MONTHS)
              .map((month) => (
                <option key={month}>{month}</option>
              ))}
          </select>
          <Formats month={earlier} take={take} />
        </li>
      </ul>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <p className="muted small">
        By months of UTC. A month is final once it is over and sealed; its page has the proof.
      </p>
    </Card>
  );
};

/** The balance below which webhooks are told, which whoever looks after the money sets. */
const Warning = () => {
  const account = useAccount();
  const cache = useQueryClient();
  const mayWrite = useScope('account:write');
  if (!account || !mayWrite) return null;
  const isWallet = account.billing === 'wallet';
  return (
    <Ask
      label="Set the warning"
      title="Warn of a low balance"
      action="Save"
      submit={async (form) => {
        const text = textIn(form, 'balanceLow');
        const balanceLow = text === undefined ? null : isWallet ? text : Number(text);
        await api.PATCH('/v1/account', { body: { balanceLow } });
        await cache.invalidateQueries({ queryKey: ['account'] });
        toast(balanceLow === null ? 'Nobody is warned any more' : 'The warning is set');
      }}
    >
      <TextField
        label={`Warn below, in ${isWallet ? account.currency : 'credits'}`}
        name="balanceLow"
        inputMode="decimal"
        pattern={isWallet ? '\\d+(\\.\\d{1,6})?' : '\\d+'}
        title={isWallet ? 'An amount such as 25.00' : 'A whole number'}
        defaultValue={account.limits.balanceLow ?? ''}
        hint="Webhooks with account.balance_low are told once, each time it falls below. Empty: nobody is told."
      />
    </Ask>
  );
};

/** A mail with its subject, or the operator's page. */
const TopUp = () => {
  const account = useAccount();
  const mayRead = useScope('credits:read');
  if (!account?.topUp || !mayRead) return null;
  const isMail = account.topUp.startsWith('mailto:');
  const subject = `Top-up of ${account.name} (${account.id})`;
  const href = isMail ? `${account.topUp}?subject=${encodeURIComponent(subject)}` : account.topUp;
  return (
    <a
      className="button button-primary"
      href={href}
      {...(!isMail && { target: '_blank', rel: 'noopener' })}
    >
      Ask for a top-up
    </a>
  );
};

/** A tenant's balance, what moved it, and the statements of its months. */
export const Credits = () => {
  const navigate = useNavigate();
  const filters = useSearch({ strict: false }) as LedgerFilters;
  const list = useRows(['movements', filters], readMovements(filters));
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title="Balance"
      lead="What you have, what took it, and what the months were."
      actions={
        <>
          <Warning />
          <TopUp />
        </>
      }
    >
      <Tiles />
      <Statements />
      <div className="ledger-head">
        <MovementFilters
          filters={filters}
          choose={(search) => void navigate({ to: '/credits', search } as never)}
        />
        <DownloadMovements filters={filters} />
      </div>
      <Table
        label="Movements"
        columns={movementColumns}
        rowId={({ id }) => id}
        onOpen={({ metadata }) => {
          const chargeId = chargeIn(metadata);
          if (chargeId !== undefined) void navigate({ to: `/charges/${chargeId}` } as never);
        }}
        empty={
          isFiltered ? (
            <Empty title="No movement fits" />
          ) : (
            <Empty title="No movement yet">
              The operator tops the balance up; then each message is a movement here.
            </Empty>
          )
        }
        {...list}
      />
    </Page>
  );
};
