import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api, bodyOf } from '../api/client.ts';
import { isTenant } from '../session/api.ts';
import { useSession } from '../session/session.tsx';
import { showTimesIn } from '../ui/times.ts';
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

/** A zone that nobody has chosen: the viewer's own tells more. */
const DEFAULT_ZONE = 'UTC';

/** Whose console it is; its zone is that of all times. */
export const Shop = () => {
  const account = useAccount();
  const zone = account?.limits.timeZone;
  useEffect(() => showTimesIn(zone === DEFAULT_ZONE ? undefined : zone), [zone]);
  if (!account) return null;
  return (
    <span className="shop">
      <Words text={account.name} />
    </span>
  );
};
