import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { SelectField } from '../../ui/field.tsx';
import { PairsField } from './pairs-field.tsx';

const useCatalog = () =>
  useQuery({
    queryKey: ['catalog'],
    queryFn: ({ signal }) => bodyOf(api.GET('/v1/notifications/catalog', { signal })),
  }).data ?? [];

interface Common {
  label: string;
  name: string;
  hint?: string | undefined;
  problem: string | undefined;
}

/** An event of the catalog. */
export const EventField = ({
  value,
  set,
  ...common
}: Common & { value: string; set: (to: string) => void }) => {
  const events = useCatalog();
  const known = events.map(({ event, title }) => ({ value: event, label: title }));
  const isKnown = known.some((one) => one.value === value);
  const options = isKnown ? known : [{ value, label: value || 'Choose an event' }, ...known];
  return (
    <SelectField
      {...common}
      value={value}
      options={options}
      onChange={({ target }) => set(target.value)}
    />
  );
};

/** The variables of an event, which are offered by name. */
export const EventVariables = ({
  event,
  ...pairs
}: { event: unknown } & Omit<Parameters<typeof PairsField>[0], 'names'>) => {
  const entry = useCatalog().find((one) => one.event === event);
  return <PairsField {...pairs} names={entry?.variables ?? []} />;
};
