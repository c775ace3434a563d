import { START } from '../../events/store.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import type { Reactor } from '../core/reactor.ts';
import { conversationDecider } from '../inbound/conversation.ts';

/** Runs that are read in one go, and ended side by side. */
const PAGE = 64;

/**
 * Ends the runs of an account's bots at a number that was unlinked from the account. Each run is
 * ended once, however often the event comes. What began after it, under another link, stays.
 */
export const createUnlinkedRuns = (deps: {
  writer: Writer;
  lookups: Pick<Lookups, 'openRuns'>;
}): Reactor => {
  const { writer, lookups } = deps;
  return {
    name: 'unlinked-runs',
    on: {
      async PhoneUnlinked(event) {
        const { accountId, phoneNumberId } = event.data;
        const context = { requestId: event.meta.requestId, accountId, cause: event.id };
        const of = { accountId, phoneNumberId, upTo: event.position, limit: PAGE };
        for (let after = START; ; ) {
          const runs = await lookups.openRuns({ ...of, after });
          const ends = runs.map(({ runId, conversationId }) => {
            const command = { type: 'EndRun' as const, runId, reason: 'number_unlinked' as const };
            return writer.execute(conversationDecider, conversationId, command, context);
          });
          await Promise.all(ends);
          const last = runs.at(-1);
          if (!last || runs.length < PAGE) return undefined;
          after = last.order;
        }
      },
    },
  };
};
