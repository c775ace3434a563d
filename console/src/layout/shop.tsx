import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client.ts';
import { isTenant } from '../session/api.ts';
import { useSession } from '../session/session.tsx';
import { Words } from '../ui/value.tsx';

/** The account of the session: its name, its unit, its caps. Undefined for an administrator. */
export const useAccount = () => {
  const { session } = useSession();
  return useQuery({
    queryKey: ['account'],
    queryFn: ({ signal }) => bodyOf(api.GET('/v1/account', { signal })),
    enabled: isTenant(session),
    staleTime: 60_000,
  }).data;
};

/** Whose console it is. */
export const Shop = () => {
  const account = useAccount();
  if (!account) return null;
  return (
    <span className="shop">
      <Words text={account.name} />
    </span>
  );
};
