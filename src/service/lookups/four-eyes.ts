import type { FourEyes } from '../../events/approval.ts';
import type { FourEyesDeps } from '../../http/admin/approvals.ts';
import { administrators } from '../../projections/administrators.ts';
import { organisations } from '../../projections/organisations.ts';
import { people } from '../../projections/people.ts';
import type { Stores } from '../stores.ts';

/** Organisations and administrators that are looked at. */
const ROWS_MAX = 1_000;
const newest = { order: { field: 'order', direction: 'descending' }, limit: ROWS_MAX } as const;

/** What needs two people, and how many there are. */
export const fourEyesLookups = ({
  store,
  reader,
  lookups,
}: Pick<Stores, 'store' | 'reader' | 'lookups'>): Pick<FourEyesDeps, 'fourEyesOf' | 'anyAsks'> & {
  mayApprove: () => Promise<number>;
} => ({
  async fourEyesOf(organisationId) {
    return (await lookups.organisation(organisationId))?.fourEyes ?? [];
  },
  async anyAsks(operation: FourEyes) {
    await reader.reached([organisations], await store.head());
    const found = await reader.find(organisations, { where: {}, ...newest });
    return found.some(({ fourEyes }) => fourEyes.includes(operation));
  },
  async mayApprove() {
    await reader.reached([administrators, people], await store.head());
    const [tokens, operators] = await Promise.all([
      reader.find(administrators, { where: {}, ...newest }),
      reader.find(people, { where: { organisationId: '' }, ...newest }),
    ]);
    const isAble = ({ role, state }: { role: string; state: string }) =>
      role === 'admin' && state === 'active';
    // The root administrator is one.
    return 1 + [...tokens, ...operators].filter(isAble).length;
  },
});
