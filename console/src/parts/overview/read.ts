import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';
import type { Session } from '../../session/api.ts';

type Overview = components['schemas']['Overview'];
type ServiceOverview = components['schemas']['ServiceOverview'];

/** What an administrator's overview has beyond a tenant's. */
export type Figures = Overview & Partial<Omit<ServiceOverview, keyof Overview>>;

/** The figures of the service, or of the account of the key. */
export const readOverview = async (
  { kind }: Session,
  hours: number,
  signal: AbortSignal,
): Promise<Figures> => {
  const init = { params: { query: { hours } }, signal };
  return kind === 'key'
    ? bodyOf(api.GET('/v1/overview', init))
    : bodyOf(api.GET('/admin/v1/overview', init));
};

/** Linked numbers of which something is wrong, among the newest. */
export const readSickNumbers = async (signal: AbortSignal): Promise<number> => {
  const params = { query: { limit: 100 } };
  const { numbers } = await bodyOf(api.GET('/admin/v1/numbers/health', { params, signal }));
  return numbers.filter(({ problems }) => problems.length > 0).length;
};
