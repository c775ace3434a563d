import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { isTenant } from '../../session/api.ts';
import { useScope, useSession } from '../../session/session.tsx';
import { StateBadge } from '../../ui/badge.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import { Amount, Id, Time } from '../../ui/value.tsx';
import { ProveCharge } from '../ledger/prove-charge.tsx';
import type { Charge, Story } from './read.ts';
import { causeWords } from './steps.ts';

const stateWords = { open: 'waiting', kept: 'charged', refunded: 'refunded' } as const;

type Row = readonly [string, ReactNode];

const refundRows = ({ refund }: Charge): readonly Row[] =>
  refund
    ? [
        ['Refunded', <Time key="back" at={refund.at} />],
        ['Because', causeWords(refund.cause)],
      ]
    : [];

/** What developers and auditors compare with the log and its seals. */
const Places = ({ charge }: { charge: Charge }) => {
  const { session } = useSession();
  const mayProve = useScope('credits:read') || !isTenant(session);
  return (
    <details>
      <summary>Where it stands in the books</summary>
      <Facts
        rows={[
          ['Charge', <Id key="id" value={charge.id} short />],
          ['Request', <Id key="request" value={charge.requestId} short />],
          ['Position', <Id key="position" value={charge.position} short />],
          ['Link', `${charge.sequence} of the account’s chain`],
          ['Hash', <Id key="hash" value={charge.hash} short />],
          ['For auditors', mayProve && <ProveCharge key="proof" chargeId={charge.id} />],
        ]}
      />
    </details>
  );
};

/** What it cost in the account's unit, the other one beside it, and what became of the money. */
export const ChargeCard = ({
  charge,
  providerCost,
}: {
  charge: Charge;
  providerCost?: Story['providerCost'];
}) => {
  const { amount, unit, price, state, accountId } = charge;
  const rows: readonly Row[] = [
    ['State', <StateBadge key="state" state={stateWords[state]} />],
    [
      'Cost',
      <span key="amount" className="cost-line">
        <Amount value={amount} unit={unit === 'credits' && amount === '1' ? 'credit' : unit} />
        {unit === 'credits' && (
          <span className="muted">
            price <Amount value={price.sellPrice} unit={price.currency} />
          </span>
        )}
      </span>,
    ],
    ...(providerCost
      ? [
          [
            'WhatsApp bills',
            <Amount key="cost" value={providerCost.amount ?? '–'} unit={providerCost.currency} />,
          ] as const,
        ]
      : []),
    ['Priced as', `${price.category.toLowerCase()}, ${price.market} (${price.countryCode})`],
    ['Plan', `${price.planId}, version ${price.planVersion}`],
    ['Charged', <Time key="at" at={charge.at} />],
    ...refundRows(charge),
    ...(accountId
      ? [
          [
            'Account',
            <Link key="account" to={`/accounts/${accountId}` as never}>
              Open it
            </Link>,
          ] as const,
        ]
      : []),
  ];
  return (
    <Card title="Cost">
      <Facts rows={rows} />
      <Places charge={charge} />
    </Card>
  );
};
