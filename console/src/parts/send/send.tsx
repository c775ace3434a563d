import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { SelectField } from '../../ui/field.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { ProblemNote, Skeleton } from '../../ui/states.tsx';
import { EventForm } from './event-form.tsx';
import { readCatalog } from './read.ts';

/** Sends one event of the catalog by hand. */
export const Send = () => {
  const { event } = useSearch({ strict: false }) as { event?: string };
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery({
    queryKey: ['catalog'],
    queryFn: ({ signal }) => readCatalog(signal),
  });
  const entry = data?.find((one) => one.event === event) ?? data?.[0];
  return (
    <Page title="Send" lead="One notification, for real: it is charged, and its recipient gets it.">
      {error && <ProblemNote problem={error} again={() => void refetch()} />}
      {!data && !error && <Skeleton />}
      {data && entry && (
        <Card>
          <div className="stack">
            <SelectField
              label="Event"
              name="event"
              value={entry.event}
              onChange={({ target }) =>
                void navigate({ to: '/send', search: { event: target.value } } as never)
              }
              options={data.map((one) => ({
                value: one.event,
                label: `${one.title} · ${one.group}`,
              }))}
            />
            <EventForm key={entry.event} entry={entry} />
          </div>
        </Card>
      )}
    </Page>
  );
};
