import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useScope } from '../../session/session.tsx';
import { SelectField } from '../../ui/field.tsx';

/** The numbers of the account; none where the viewer may not see them. */
export const usePhones = () => {
  const maySee = useScope('phones:read');
  const { data = [] } = useQuery({
    queryKey: ['phones'],
    queryFn: ({ signal }) => bodyOf(api.GET('/v1/phones', { signal })),
    enabled: maySee,
  });
  return data;
};

/** From which number; the account's oldest where the key may not see them. */
export const NumberField = () => {
  const phones = usePhones();
  if (phones.length < 2) return null;
  return (
    <SelectField
      label="From"
      name="phoneNumberId"
      options={phones.map(({ phoneNumberId, displayPhoneNumber, verifiedName }) => ({
        value: phoneNumberId,
        label: `${displayPhoneNumber} · ${verifiedName}`,
      }))}
    />
  );
};
