import type { AuditedLog } from '../../src/audit/movement.ts';
import { accountDecider } from '../../src/commands/account/account.ts';
import type { AccountCommand } from '../../src/commands/account/state.ts';
import type { AccountFact } from '../../src/events/account.ts';
import type { Fact } from '../../src/events/define.ts';
import { versionOf } from '../../src/events/index.ts';
import type { Recorded } from '../../src/events/store.ts';

// Logs in memory, for audits of them.

/** The facts that an account's commands make, one after the other. */
export const createAccount = (accountId: string) => {
  const decider = accountDecider(accountId);
  const facts: AccountFact[] = [];
  let state = decider.initial;
  return {
    facts,
    state: () => state,
    decide(command: AccountCommand): AccountFact {
      const decided = decider.decide(command, state);
      state = decided.reduce(decider.evolve, state);
      facts.push(...decided);
      return decided[0]!;
    },
  };
};

/** The events of some streams, as a log that takes turns between them has them. */
export const logOf = (streams: Readonly<Record<string, readonly Fact[]>>): Recorded[] => {
  const events: Recorded[] = [];
  const longest = Math.max(...Object.values(streams).map((facts) => facts.length));
  for (let revision = 0; revision < longest; revision += 1) {
    for (const [stream, facts] of Object.entries(streams)) {
      const fact = facts[revision];
      if (!fact) continue;
      events.push({
        ...fact,
        id: `event-${events.length}`,
        version: versionOf(fact.type),
        revision,
        stream,
        meta: { at: '2026-11-21T12:00:00.000Z', requestId: 'req_1' },
        position: String(events.length + 1).padStart(6, '0'),
      } as Recorded);
    }
  }
  return events;
};

/** These events as a log to be audited; it may go on behind its head. */
export const auditedLog = (
  events: readonly Recorded[],
  head = events.at(-1)!.position,
): AuditedLog => ({
  head: async () => head,
  readAll: async (position, limit = 1000) => {
    const page = events.filter((event) => event.position > position).slice(0, limit);
    return { events: page, to: page.at(-1)?.position ?? position };
  },
  read: async (stream, { from, direction = 'forwards', limit = 1000 } = {}) => {
    const own = events.filter((one) => one.stream === stream);
    const isBack = direction === 'backwards';
    const ordered = isBack ? own.toReversed() : own;
    return ordered
      .filter(
        ({ revision }) => from === undefined || (isBack ? revision <= from : revision >= from),
      )
      .slice(0, limit);
  },
});
