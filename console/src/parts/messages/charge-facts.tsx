import { Link } from '@tanstack/react-router';
import { StateBadge } from '../../ui/badge.tsx';
import { Card, Facts } from '../../ui/page.tsx';
import { Amount, Id, Time } from '../../ui/value.tsx';
import type { Charge, Story } from './read.ts';

/** What it cost, and what became of the money. */
export const ChargeCard = ({
  charge,
  providerCost,
}: {
  charge: Charge;
  providerCost?: Story['providerCost'];
}) => (
  <Card title="Cost">
    <Facts
      rows={[
        ['Charge', <Id key="id" value={charge.id} short />],
        ['State', <StateBadge key="state" state={charge.state} />],
        ['Amount', <Amount key="amount" value={charge.amount} unit={charge.unit} />],
        [
          'Price',
          <Amount key="price" value={charge.price.sellPrice} unit={charge.price.currency} />,
        ],
        ...(providerCost
          ? ([
              [
                'Provider takes',
                <Amount
                  key="cost"
                  value={providerCost.amount ?? '–'}
                  unit={providerCost.currency}
                />,
              ],
            ] as const)
          : []),
        ['Category', charge.price.category],
        ['Market', `${charge.price.market} (${charge.price.countryCode})`],
        ['Plan', `${charge.price.planId}, version ${charge.price.planVersion}`],
        ['Reserved', <Time key="at" at={charge.at} form="full" />],
        ...(charge.refund
          ? ([
              ['Given back', <Time key="back" at={charge.refund.at} form="full" />],
              ['Why', charge.refund.cause.replaceAll('_', ' ')],
            ] as const)
          : []),
        ['Request', <Id key="request" value={charge.requestId} short />],
        ['Position', <code key="position">{charge.position}</code>],
        ['Link', `${charge.sequence} of the account’s chain`],
        ['Hash', <Id key="hash" value={charge.hash} short />],
        ...(charge.accountId
          ? ([
              [
                'Account',
                <Link key="account" to={`/accounts/${charge.accountId}` as never}>
                  {charge.accountId}
                </Link>,
              ],
            ] as const)
          : []),
      ]}
    />
  </Card>
);
