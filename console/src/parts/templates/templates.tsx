import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client.ts';
import { Problem } from '../../api/problem.ts';
import { SelectField } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ProblemNote, Skeleton } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { usePhones } from '../send/number-field.tsx';
import { OwnTemplates } from './own.tsx';
import { Readiness } from './readiness.tsx';

/** The number whose templates are shown: a chosen one, or the one that the service takes by default. */
const useNumber = () => {
  const [chosen, choose] = useState<string>();
  const phones = usePhones();
  const byDefault = useQuery({
    queryKey: ['readiness', 'number'],
    queryFn: async ({ signal }) =>
      (await bodyOf(api.GET('/v1/notifications/events', { signal }))).phoneNumberId,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return {
    phoneNumberId: chosen ?? byDefault.data,
    error: byDefault.error,
    again: () => void byDefault.refetch(),
    phones,
    choose,
  };
};

/** What can be sent: the catalog's events, and templates of the account's own. */
export const Templates = () => {
  const [tab, setTab] = useState('catalog');
  const { phoneNumberId, phones, choose, error, again } = useNumber();
  const isMissing = error instanceof Problem && error.status === 404;
  return (
    <Page title="Templates" lead="Only approved templates can be sent outside an open window.">
      {isMissing && (
        <Empty title="No number yet">
          An operator links one with its access token; what can be sent from it is then here.
        </Empty>
      )}
      {error && !isMissing && <ProblemNote problem={error} again={again} />}
      {!phoneNumberId && !error && <Skeleton />}
      {phoneNumberId && phones.length > 1 && (
        <SelectField
          label="Number"
          name="number"
          value={phoneNumberId}
          onChange={({ target }) => choose(target.value)}
          options={phones.map(({ phoneNumberId: value, displayPhoneNumber }) => ({
            value,
            label: displayPhoneNumber,
          }))}
        />
      )}
      {phoneNumberId && (
        <Tabs
          label="Templates"
          selected={tab}
          onSelect={setTab}
          tabs={[
            {
              id: 'catalog',
              title: 'Catalog',
              content: (
                <div className="stack">
                  <Readiness key={phoneNumberId} phoneNumberId={phoneNumberId} />
                </div>
              ),
            },
            {
              id: 'all',
              title: 'All templates',
              content: (
                <div className="stack">
                  <OwnTemplates key={phoneNumberId} phoneNumberId={phoneNumberId} />
                </div>
              ),
            },
          ]}
        />
      )}
    </Page>
  );
};
