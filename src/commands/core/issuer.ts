import { IssuerNamed } from '../../events/installation.ts';
import type { EventStore } from '../../events/store.ts';
import type { Clock, Ids } from '../../shared/clock.ts';
import type { Decider } from './decider.ts';
import { createWriter } from './execute.ts';

// Who issues statements is recorded in the log, so that a statement of a month that is over has the same
// bytes after the settings have changed.

type Named = ReturnType<typeof IssuerNamed.of>;
export type Issuer = Named['data'];

const issuerDecider: Decider<Issuer | null, { type: 'Name'; issuer: Issuer }, Named> = {
  category: 'issuer',
  initial: null,
  evolve: (_, { data }) => data,
  decide: ({ issuer }, known) =>
    known?.name === issuer.name && known.address === issuer.address && known.taxId === issuer.taxId
      ? []
      : [IssuerNamed.of(issuer)],
};

/** One log has one issuer. */
const ID = 'waybill';
export const ISSUER_STREAM = `issuer-${ID}`;

/** Records the issuer of the settings, where it is another than the log names. Null changes nothing. */
export const nameIssuer = async (deps: {
  store: EventStore;
  issuer: Issuer | null;
  clock: Clock;
  ids: Ids;
}): Promise<void> => {
  const { store, issuer, clock, ids } = deps;
  if (issuer === null) return;
  const context = { requestId: ids.uuid(), cause: 'start' };
  const command = { type: 'Name' as const, issuer };
  await createWriter({ store, clock, ids }).execute(issuerDecider, ID, command, context);
};
