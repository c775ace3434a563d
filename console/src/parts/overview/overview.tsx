import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { type LiveEvent, useLive } from '../../api/live.ts';
import { createRefresh } from '../../api/queries.ts';
import { isTenant } from '../../session/api.ts';
import { useScope, useSession } from '../../session/session.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Card, Facts, Page, Stat } from '../../ui/page.tsx';
import { reasonOf } from '../../ui/reasons.ts';
import { Runbook } from '../../ui/runbook.tsx';
import { Empty, QueryState, Skeleton } from '../../ui/states.tsx';
import { Amount, Time } from '../../ui/value.tsx';
import { Code } from '../../ui/why.tsx';
import { causeWords, costOf } from '../messages/steps.ts';
import { Feed } from './feed.tsx';
import './overview.css';
import { type Figures, readOverview, readSickNumbers } from './read.ts';
import { ReadinessCard } from './readiness.tsx';

const Chart = lazy(async () => ({ default: (await import('./chart.tsx')).Chart }));

/** Events that the live list keeps. */
const FEED_MAX = 40;

const periods = [
  [6, '6 hours'],
  [24, '24 hours'],
  [168, '7 days'],
] as const;

/** What was spent; an account has one unit, a service may have several. */
const Spent = ({ money }: Pick<Figures, 'money'>) => {
  const [first, ...others] = money;
  if (!first) return '–';
  return (
    <>
      <Amount value={first.charged} unit={first.unit} />
      {others.map(({ unit, charged }) => (
        <span key={unit} className="muted">
          {' '}
          + <Amount value={charged} unit={unit} />
        </span>
      ))}
    </>
  );
};

const Tiles = ({ figures, ofTenant }: { figures: Figures; ofTenant: boolean }) => {
  const { totals, hours, money } = figures;
  const refunded = money
    .map(({ refunded: amount, unit }) => costOf({ amount: String(amount), unit }))
    .join(', ');
  const leads = (to: string, search?: Readonly<Record<string, string>>) =>
    ofTenant ? { to, ...(search && { search }) } : {};
  return (
    <div className="tiles">
      <Stat name="Sends" trend={hours.map(({ sends }) => sends)} {...leads('/attempts')}>
        {totals.sends}
      </Stat>
      <Stat
        name="Failed"
        isBad={totals.failures > 0}
        trend={hours.map(({ failures }) => failures)}
        {...leads('/messages', { status: 'failed' })}
      >
        {totals.failures}
      </Stat>
      <Stat
        name="Refused before sending"
        isBad={totals.refused > 0}
        trend={hours.map(({ refused }) => refused)}
        {...leads('/attempts')}
      >
        {totals.refused}
      </Stat>
      <Stat name="Spent" note={money.length > 0 && `${refunded} refunded`} {...leads('/credits')}>
        <Spent money={money} />
      </Stat>
    </div>
  );
};

/** How often the numbers are looked at: their reading is the service's, and changes seldom. */
const NUMBERS_EVERY_MS = 60_000;

/** What waits for an operator. */
const Waiting = ({ figures }: { figures: Figures }) => {
  const { reservations, deadLetters, seal } = figures;
  const { data: sick } = useQuery({
    queryKey: ['number-health', 'count'],
    queryFn: ({ signal }) => readSickNumbers(signal),
    refetchInterval: NUMBERS_EVERY_MS,
  });
  return (
    <Card title="Waiting">
      <Facts
        rows={[
          [
            'Numbers with a problem',
            sick === undefined ? undefined : (
              <Link key="numbers" to={'/number-health' as never}>
                {sick}
              </Link>
            ),
          ],
          [
            'Open charges',
            <span key="open" className="row">
              {reservations.open}
              {reservations.oldestAt && (
                <span className="muted">
                  the oldest <Time at={reservations.oldestAt} form="ago" />
                </span>
              )}
            </span>,
          ],
          ...(deadLetters
            ? [
                [
                  'Dead letters',
                  <span key="letters" className="row">
                    <Link to={'/dead-letters' as never}>{deadLetters.open}</Link>
                    {deadLetters.open > 0 && <Runbook of="deadLetters" />}
                  </span>,
                ] as const,
                [
                  'Last seal',
                  seal ? <Time key="seal" at={seal.at} form="ago" /> : 'none yet',
                ] as const,
              ]
            : []),
        ]}
      />
    </Card>
  );
};

interface Rank {
  key: string;
  name: ReactNode;
  count: number;
}

const Ranks = ({ title, rows, none }: { title: string; rows: readonly Rank[]; none: string }) => (
  <Card title={title}>
    {rows.length === 0 && <p className="muted">{none}</p>}
    <ul className="rank">
      {rows.map(({ key, name, count }) => (
        <li key={key}>
          <span>{name}</span>
          <strong>{count}</strong>
        </li>
      ))}
    </ul>
  </Card>
);

/** Stands in for a chart without bars. */
const Idle = () => {
  const maySend = useScope('notifications:send');
  const send = maySend && (
    <Link to={'/send' as never} className="button button-primary">
      Send a message
    </Link>
  );
  return (
    <Empty title="Nothing was sent in this time" action={send}>
      What is sent, what failed and what was refused appears here, hour by hour.
    </Empty>
  );
};

/** A code with what it means. */
const named = ({ code, count }: { code: string; count: number }): Rank => ({
  key: code,
  name: (
    <>
      {reasonOf(code).title} <Code code={code} />
    </>
  ),
  count,
});

const Causes = ({ figures }: { figures: Figures }) => (
  <div className="grid">
    <Ranks title="Why messages failed" rows={figures.failures.map(named)} none="None failed." />
    <Ranks
      title="Why sends were refused"
      rows={figures.refused.map(named)}
      none="None was refused before it was sent."
    />
  </div>
);

const Refunds = ({ figures }: { figures: Figures }) => (
  <Ranks
    title="Why charges were refunded"
    rows={figures.refunds.map(({ cause, count }) => ({
      key: cause,
      name: causeWords(cause),
      count,
    }))}
    none="None was refunded."
  />
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
  });
  const { data } = query;
  const cache = useQueryClient();
  const refresh = useMemo(() => createRefresh(cache, ['overview']), [cache]);
  const isConnected = useLive(session, (news) => {
    setEvents((shown) => [...news.toReversed(), ...shown].slice(0, FEED_MAX));
    refresh();
  });
  const ofTenant = isTenant(session);
  const isIdle = data && data.totals.sends + data.totals.refused + data.totals.failures === 0;
  return (
    <Page
      title="Overview"
      lead={ofTenant ? undefined : 'All accounts'}
      actions={<Choice label="Period" options={periods} value={hours} choose={setHours} />}
    >
      <QueryState query={query} />
      {data && (
        <>
          <Tiles figures={data} ofTenant={ofTenant} />
          <div className="columns">
            <div className="stack">
              <Card title="By hour">
                {isIdle ? (
                  <Idle />
                ) : (
                  <Suspense fallback={<Skeleton />}>
                    <Chart hours={data.hours} />
                  </Suspense>
                )}
              </Card>
              <Causes figures={data} />
            </div>
            <div className="stack">
              {!ofTenant && <ReadinessCard />}
              {!ofTenant && <Waiting figures={data} />}
              <Refunds figures={data} />
              <Feed events={events} isConnected={isConnected} />
            </div>
          </div>
        </>
      )}
    </Page>
  );
};
