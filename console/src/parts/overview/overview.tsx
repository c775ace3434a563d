import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { type LiveEvent, useLive } from '../../api/live.ts';
import { useSession } from '../../session/session.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Card, Page, Stat } from '../../ui/page.tsx';
import { Runbook } from '../../ui/runbook.tsx';
import { QueryState } from '../../ui/states.tsx';
import { Amount, Time } from '../../ui/value.tsx';
import { Feed } from './feed.tsx';
import './overview.css';
import { type Figures, readOverview } from './read.ts';
import { ReadinessCard } from './readiness.tsx';

const Chart = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }));

/** Events that the live list keeps. */
const FEED_MAX = 40;
/** The figures are read again at most this often while events come. */
const REFRESH_MS = 2_000;

const periods = [
  [6, '6 h'],
  [24, '24 h'],
  [168, '7 d'],
] as const;

/** A number that should be zero. */
const Count = ({ value, tone }: { value: number; tone: 'warn' | 'bad' }) => (
  <span className={value > 0 ? `count-${tone}` : ''}>{value}</span>
);

const Stats = ({ figures }: { figures: Figures }) => {
  const { totals, money, reservations, deadLetters, log, seal } = figures;
  return (
    <div className="stats">
      <Stat name="Sends">{totals.sends}</Stat>
      <Stat name="Refunds">
        <Count value={totals.refunds} tone="warn" />
      </Stat>
      <Stat name="Failures" note={totals.failures > 0 && <Runbook of="failures" />}>
        <Count value={totals.failures} tone="bad" />
      </Stat>
      {money.map(({ unit, charged, refunded }) => (
        <Stat key={unit} name="Spend" note={`${refunded} given back`}>
          <Amount value={charged} unit={unit} />
        </Stat>
      ))}
      <Stat
        name="Open reservations"
        note={reservations.oldestAt && <Time at={reservations.oldestAt} form="ago" />}
      >
        {reservations.open}
      </Stat>
      {deadLetters && (
        <Stat name="Dead letters" note={deadLetters.open > 0 && <Runbook of="deadLetters" />}>
          <Count value={deadLetters.open} tone="bad" />
        </Stat>
      )}
      {log && (
        <Stat
          name="Last seal"
          note={
            <>
              log at <code>{log.position}</code>
            </>
          }
        >
          {seal ? <Time at={seal.at} form="ago" /> : 'none yet'}
        </Stat>
      )}
    </div>
  );
};

const Ranks = ({
  title,
  rows,
}: {
  title: string;
  rows: readonly (readonly [string, number])[];
}) => (
  <Card title={title}>
    {rows.length === 0 && <p className="muted">None in this period.</p>}
    <ul className="rank">
      {rows.map(([name, count]) => (
        <li key={name}>
          <span>{name}</span>
          <strong>{count}</strong>
        </li>
      ))}
    </ul>
  </Card>
);

/** How the service, or the account, does now and over the last hours. */
export const Overview = () => {
  const { session } = useSession();
  const [hours, setHours] = useState<(typeof periods)[number][0]>(24);
  const [events, setEvents] = useState<readonly LiveEvent[]>([]);
  const query = useQuery({
    queryKey: ['overview', hours],
    queryFn: ({ signal }) => readOverview(session, hours, signal),
    refetchInterval: 5_000,
    staleTime: REFRESH_MS,
  });
  const { data, dataUpdatedAt, refetch } = query;
  const isConnected = useLive(session, (news) => {
    setEvents((shown) => [...news.toReversed(), ...shown].slice(0, FEED_MAX));
    if (Date.now() - dataUpdatedAt > REFRESH_MS) void refetch({ cancelRefetch: false });
  });
  return (
    <Page
      title="Overview"
      lead={session.kind === 'key' ? 'Your account' : 'All accounts'}
      actions={<Choice label="Period" options={periods} value={hours} choose={setHours} />}
    >
      <QueryState query={query} />
      {data && (
        <>
          <Stats figures={data} />
          <Card title="By hour">
            <Suspense fallback={<div className="chart" />}>
              <Chart hours={data.hours} />
            </Suspense>
          </Card>
          <div className="columns">
            <div className="stack">
              <div className="grid">
                <Ranks
                  title="Failures by the provider’s code"
                  rows={data.failures.map(({ code, count }) => [code, count])}
                />
                <Ranks
                  title="Refunds by cause"
                  rows={data.refunds.map(({ cause, count }) => [cause.replaceAll('_', ' '), count])}
                />
              </div>
              <ReadinessCard />
            </div>
            <Feed events={events} isConnected={isConnected} />
          </div>
        </>
      )}
    </Page>
  );
};
