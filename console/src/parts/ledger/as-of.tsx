import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useId, useMemo, useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { Card, Stat } from '../../ui/page.tsx';
import { useSettled } from '../../ui/settled.ts';
import { ProblemNote } from '../../ui/states.tsx';
import { Amount, Time } from '../../ui/value.tsx';
import { type Account, unitOf } from '../accounts/read.ts';

const STEPS = 1000;
/** The slider must rest so long before the balance is read. */
const REST_MS = 150;

/** The balance at any moment since the account was opened, counted from its events. */
export const AsOf = ({ account }: { account: Account }) => {
  const { id, createdAt } = account;
  const label = useId();
  const [step, setStep] = useState(STEPS);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves on with the balance
  const [start, end] = useMemo(() => [Date.parse(createdAt), Date.now()], [createdAt, account]);
  const at = new Date(start + ((end - start) * step) / STEPS).toISOString();
  const asOf = useDeferredValue(useSettled(at, REST_MS));
  const { data, error } = useQuery({
    queryKey: ['ledger', id, 'as-of', asOf],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/admin/v1/accounts/{id}/balance', {
          params: { path: { id }, query: { asOf } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
  return (
    <Card title="Balance as of">
      <div className="as-of">
        <div>
          <label className="hidden" htmlFor={label}>
            Moment of the balance
          </label>
          <input
            id={label}
            type="range"
            min={0}
            max={STEPS}
            value={step}
            aria-valuetext={at}
            onChange={({ target }) => setStep(Number(target.value))}
          />
          <Time at={at} form="full" />
        </div>
        <Stat name="Balance" note={data && data.entryId === null && 'no movement yet'}>
          {data ? <Amount value={data.balance} unit={unitOf(account)} /> : '…'}
        </Stat>
      </div>
      {error && <ProblemNote problem={error} />}
    </Card>
  );
};
