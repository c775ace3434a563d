import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useMayWrite } from '../../session/session.tsx';
import { OrganisationLink } from '../../ui/account-field.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Card, Facts, Stat } from '../../ui/page.tsx';
import { Empty, QueryState } from '../../ui/states.tsx';
import { Amount, Id, Words } from '../../ui/value.tsx';
import { MoveMoney } from './money.tsx';
import { PlanName } from './open-account.tsx';
import { type Account, unitOf } from './read.ts';
import { ChangeLimits, ChangePlan, ChangeRetention } from './terms.tsx';

/** Sends of a period, beside how many are allowed. */
const Used = ({ name, used, limit }: { name: string; used: number; limit: number | null }) => (
  <div className="used">
    <div className="used-words">
      <span>{name}</span>
      <span>
        <strong>{used}</strong>{' '}
        <span className="muted">{limit === null ? '· no limit' : `of ${limit}`}</span>
      </span>
    </div>
    {limit !== null && (
      <progress
        aria-label={`${name}: ${used} of ${limit}`}
        className={used >= limit ? 'used-full' : ''}
        value={Math.min(used, limit)}
        max={limit || 1}
      />
    )}
  </div>
);

const Limits = ({ account }: { account: Account }) => {
  const { usage, limits } = account;
  const mayWrite = useMayWrite();
  return (
    <Card title="Sends" actions={mayWrite && <ChangeLimits account={account} />}>
      <div className="stack">
        <Used name="This minute" used={usage.minute} limit={limits.perMinute} />
        <Used name="Today" used={usage.day} limit={limits.daily} />
        <Used name="This month" used={usage.month} limit={limits.monthly} />
      </div>
    </Card>
  );
};

/** A webhook that begins to fail turns red by itself. */
const LOOK_AGAIN_MS = 10_000;

const Webhooks = ({ id }: { id: string }) => {
  const query = useQuery({
    queryKey: ['accounts', 'webhooks', id],
    refetchInterval: LOOK_AGAIN_MS,
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/admin/v1/accounts/{id}/webhooks', { params: { path: { id } }, signal })),
  });
  const { data } = query;
  return (
    <Card title="Webhooks">
      <QueryState query={query} />
      {data?.webhooks.length === 0 && (
        <Empty title="None">The account makes them with a key of its own.</Empty>
      )}
      <ul className="plain-list">
        {data?.webhooks.map(({ id: webhook, url, state, failing, events, disabledReason }) => (
          <li key={webhook}>
            <span className="row">
              <StateBadge state={state === 'active' && failing > 0 ? 'failing' : state} />
              <Words text={url} />
            </span>
            <span className="muted small">
              {disabledReason !== null && `disabled: ${disabledReason} · `}
              {events.join(', ')}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
};

const Terms = ({ account }: { account: Account }) => {
  const mayWrite = useMayWrite();
  const { organisationId, planId, billing, currency, limits, contentRetentionMonths } = account;
  const kept = contentRetentionMonths;
  return (
    <Card
      title="Terms"
      actions={
        mayWrite && (
          <span className="row">
            <ChangePlan account={account} />
            <ChangeRetention account={account} />
          </span>
        )
      }
    >
      <Facts
        rows={[
          ['Organisation', <OrganisationLink key="organisation" id={organisationId} />],
          ['Plan', <PlanName key="plan" id={planId} />],
          ['Counts in', billing === 'credits' ? `credits, priced in ${currency}` : currency],
          [
            'Warns below',
            limits.balanceLow === null ? null : (
              <Amount key="low" value={limits.balanceLow} unit={unitOf(account)} />
            ),
          ],
          ['Keeps contents', kept === null ? 'for good' : `${kept} months`],
          ['Id', <Id key="id" value={account.id} />],
        ]}
      />
    </Card>
  );
};

/** Balance, limits and terms of an account. */
export const AccountOverview = ({ account }: { account: Account }) => {
  const mayWrite = useMayWrite();
  const { id, balance, limits, pausedReason } = account;
  return (
    <div className="stack">
      {limits.paused && (
        <div className="note note-bad">
          <strong>Paused: every send is refused.</strong>{' '}
          {pausedReason && <Words text={pausedReason} />}
        </div>
      )}
      <div className="columns">
        <div className="stack">
          <Card>
            <div className="balance">
              <Stat name="Balance">
                <Amount value={balance} unit={unitOf(account)} />
              </Stat>
              {mayWrite && <MoveMoney account={account} />}
            </div>
          </Card>
          <Terms account={account} />
        </div>
        <div className="stack">
          <Limits account={account} />
          <Webhooks id={id} />
        </div>
      </div>
    </div>
  );
};
