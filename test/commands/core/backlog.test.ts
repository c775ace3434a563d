import { expect } from 'chai';
import { createBacklog } from '../../../src/commands/core/backlog.ts';
import { createKeyedQueue } from '../../../src/commands/core/keyed-queue.ts';
import { type Reactor, runReactor } from '../../../src/commands/core/reactor.ts';
import type { KnownEvent } from '../../../src/events/index.ts';
import { type EventStore, NO_STREAM } from '../../../src/events/store.ts';
import { Interrupted } from '../../../src/shared/retry.ts';
import { systemIds } from '../../../src/shared/system.ts';
import { openOwnStore } from '../../support/own-store.ts';
import { until } from '../../support/until.ts';

const ROOM = 5;

describe('a backlog @long', () => {
  let store: EventStore;
  beforeEach(async () => {
    store = await openOwnStore();
  });
  afterEach(() => store.close());

  let written = 0;
  /** The name of a group and a number stand in an event of any type. */
  const write = async (...groups: string[]): Promise<void> => {
    for (const group of groups) {
      written += 1;
      const meta = { at: '2026-11-21T12:00:00.000Z', requestId: 'test', accountId: group };
      const data = { organisationId: `o${written}`, name: group };
      const event = { id: systemIds.uuid(), type: 'OrganisationCreated', version: 1, data, meta };
      await store.append(`organisation-o${written}`, NO_STREAM, [event]);
    }
  };
  const groupOf = (event: KnownEvent) =>
    event.type === 'OrganisationCreated' ? event.data.name : undefined;

  const idOf = ({ data }: KnownEvent) => (data as { organisationId: string }).organisationId;

  /** A reactor whose jobs of group `stuck` end only when they are let go. */
  const open = () => {
    const stopping = new AbortController();
    const faults: unknown[] = [];
    const queue = createKeyedQueue({
      runningPerGroup: 2,
      jobsPerGroup: ROOM,
      jobs: 1000,
      onFault: (error) => faults.push(error),
    });
    const done: string[] = [];
    const changes: [string, boolean][] = [];
    const gate = Promise.withResolvers<void>();
    let failing = 0;
    const backlog = createBacklog({
      store: {
        readAll: (...where) => {
          failing -= 1;
          return failing >= 0 ? Promise.reject(new Error('cut')) : store.readAll(...where);
        },
      },
      groupOf,
      offer(event) {
        const group = groupOf(event)!;
        const work = async () => {
          if (group === 'stuck') await gate.promise;
          if (stopping.signal.aborted) throw new Interrupted();
          done.push(idOf(event));
        };
        return queue.offer({ group, key: group, work });
      },
      onChange: (...change) => changes.push(change),
      onFault: (error) => faults.push(error),
      signal: stopping.signal,
    });
    const reactor: Reactor = {
      name: 'test',
      on: {
        OrganisationCreated(event) {
          const taken = backlog.take(event);
          if (taken === 'full') throw new Error('full');
          return taken;
        },
      },
      async drain() {
        stopping.abort();
        gate.resolve();
        await Promise.all([queue.drain(), backlog.drain()]);
      },
    };
    const running = runReactor(reactor, { store, onFailure: (...what) => faults.push(what) });
    const fail = (times: number) => {
      failing = times;
    };
    return { running, done, faults, changes, letGo: () => gate.resolve(), fail };
  };
  const many = (group: string, count: number) => Array.from({ length: count }, () => group);
  const idsOf = async (group: string) => {
    const { events } = await store.readAll('', 1000);
    return (events as KnownEvent[]).filter((event) => groupOf(event) === group).map(idOf);
  };

  it('delays no other group, and offers each event of a group in order', async () => {
    const { running, done, changes, faults, letGo } = open();
    await write(...many('stuck', 40), ...many('quick', 3), ...many('stuck', 40), 'quick');
    const quick = await idsOf('quick');
    await until('the quick ones', () => done.length === quick.length);
    expect(done).to.deep.equal(quick);
    expect(changes).to.deep.equal([['stuck', true]]);
    letGo();
    const stuck = await idsOf('stuck');
    await until('the others', () => done.length === quick.length + stuck.length);
    expect(done.slice(quick.length)).to.deep.equal(stuck);
    await until('it has caught up', () => changes.length === 2);
    expect(changes[1]).to.deep.equal(['stuck', false]);
    await write('stuck', 'quick');
    await until('what came since', () => done.length === 86);
    expect(new Set(done).size).to.equal(86);
    expect(faults).to.deep.equal([]);
    await running.stop();
  });

  it('starts again in the next process, from the first event that was not settled', async () => {
    await write('quick', ...many('stuck', 30), 'quick', ...many('stuck', 30));
    const dying = open();
    await until('the quick ones', () => dying.done.length === 2);
    await dying.running.stop();
    const next = open();
    next.letGo();
    const stuck = await idsOf('stuck');
    const doneOf = () => next.done.filter((id) => stuck.includes(id));
    await until('all of them', () => doneOf().length === stuck.length);
    expect(doneOf()).to.deep.equal(stuck);
    // The first one stands before all that is stuck: it was done and its place kept.
    expect(next.done).not.to.include((await idsOf('quick'))[0]);
    await next.running.stop();
  });

  it('goes on after a failed read of the log', async () => {
    const { running, done, faults, letGo, fail } = open();
    fail(1);
    await write(...many('stuck', 20), 'quick');
    await until('the quick one', () => done.length === 1);
    letGo();
    await until('all of them', () => done.length === 21);
    expect(faults).to.have.length(1);
    await running.stop();
  });
});
