import type { FourEyes } from '../../events/approval.ts';
import { START } from '../../events/store.ts';
import type { FourEyesDeps } from '../../http/admin/approvals.ts';
import { administrators } from '../../projections/administrators.ts';
import type { Shown } from '../../projections/engine/reader.ts';
import { organisations } from '../../projections/organisations.ts';
import { people } from '../../projections/people.ts';
import { ViewsUnavailable } from '../../projections/views.ts';
import type { Stores } from '../stores.ts';

/** Organisations of one read, and administrators that are looked at. */
const ROWS_MAX = 1_000;
const newest = { order: { field: 'order', direction: 'descending' }, limit: ROWS_MAX } as const;
const oldest = { order: { field: 'order', direction: 'ascending' }, limit: ROWS_MAX } as const;

/** What is not shown may ask for two people, or may be revoked. */
const notAllShown = (shown: Shown): ViewsUnavailable =>
  new ViewsUnavailable(`not all is shown: ${shown}`);

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
    const shown = await reader.reached([organisations], await store.head());
    if (shown !== 'all') throw notAllShown(shown);
    for (let after = START; ; ) {
      const where = after === START ? {} : { order: { gt: after } };
      const page = await reader.find(organisations, { where, ...oldest });
      if (page.some(({ fourEyes }) => fourEyes.includes(operation))) return true;
      if (page.length < ROWS_MAX) return false;
      after = page.at(-1)!.order;
    }
  },
  async mayApprove() {
    const shown = await reader.reached([administrators, people], await store.head());
    if (shown !== 'all') throw notAllShown(shown);
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
