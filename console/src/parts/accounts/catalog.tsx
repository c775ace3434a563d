import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { useRows } from '../../api/queries.ts';
import { useMayWrite } from '../../session/session.tsx';
import { SelectField } from '../../ui/field.tsx';
import { CatalogReadiness } from '../../ui/readiness.tsx';
import { Empty, ProblemNote, Skeleton } from '../../ui/states.tsx';
import { type Account, numbersKey, readNumbers } from './read.ts';

const readReadiness = (phoneNumberId: string, isAnew: boolean, signal?: AbortSignal) => {
  const params = { path: { phoneNumberId }, query: isAnew ? { refresh: 'true' as const } : {} };
  return bodyOf(api.GET('/admin/v1/numbers/{phoneNumberId}/readiness', { params, signal }));
};

const submitMissing = (phoneNumberId: string) => {
  const params = { path: { phoneNumberId } };
  const body = { onlyMissing: true };
  return bodyOf(api.POST('/admin/v1/numbers/{phoneNumberId}/catalog/submit', { params, body }));
};

const Readiness = ({ phoneNumberId }: { phoneNumberId: string }) => {
  const mayWrite = useMayWrite();
  return (
    <CatalogReadiness
      queryKey={['accounts', 'readiness', phoneNumberId]}
      read={(isAnew, signal) => readReadiness(phoneNumberId, isAnew, signal)}
      mayAsk={mayWrite}
      submit={mayWrite && (() => submitMissing(phoneNumberId))}
    />
  );
};

/** Which events of the catalog can be sent from a number of the account. */
export const Catalog = ({ account: { id } }: { account: Account }) => {
  const { rows, isLoading, error, refetch } = useRows(numbersKey(id), readNumbers(id));
  const [chosen, setChosen] = useState<string>();
  if (isLoading) return <Skeleton rows={8} />;
  if (error) return <ProblemNote problem={error} again={refetch} />;
  const phoneNumberId = chosen ?? rows[0]?.phoneNumberId;
  if (phoneNumberId === undefined) {
    return (
      <Empty title="No number yet">The catalog is submitted for a number: link one first.</Empty>
    );
  }
  return (
    <div className="stack">
      {rows.length > 1 && (
        <SelectField
          label="Number"
          name="number"
          value={phoneNumberId}
          onChange={({ target }) => setChosen(target.value)}
          options={rows.map((row) => ({
            value: row.phoneNumberId,
            label: row.displayPhoneNumber || row.phoneNumberId,
          }))}
        />
      )}
      <Readiness key={phoneNumberId} phoneNumberId={phoneNumberId} />
    </div>
  );
};
