import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';
import { useScope } from '../../session/session.tsx';
import { SelectField } from '../../ui/field.tsx';

/** From which number; the account's oldest where the key may not see them. */
export const NumberField = () => {
  const maySee = useScope('phones:read');
  const { data = [] } = useQuery({
    queryKey: ['phones'],
    queryFn: ({ signal }) => bodyOf(api.GET('/v1/phones', { signal })),
    enabled: maySee,
  });
  if (data.length < 2) return null;
  return (
    <SelectField
      label="From"
      name="phoneNumberId"
      options={data.map(({ phoneNumberId, displayPhoneNumber, verifiedName }) => ({
        value: phoneNumberId,
        label: `${displayPhoneNumber} · ${verifiedName}`,
      }))}
    />
  );
};
