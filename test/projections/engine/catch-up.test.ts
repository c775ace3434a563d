import { expect } from 'chai';
import { START } from '../../../src/events/store.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import { bring } from '../../../src/projections/engine/catch-up.ts';
import { createLane, type Lane } from '../../../src/projections/engine/fold.ts';
import { createGroup } from '../../../src/projections/engine/group.ts';
import { ledger } from '../../../src/projections/ledger.ts';
import { type Bench, openBench } from '../../support/projections-engine.ts';
import { granted, opened } from '../../support/projections-facts.ts';

describe('catching up', () => {
  let bench: Bench;
  const stopping = new AbortController();
  const retry = {
    signal: stopping.signal,
    random: () => 0,
    onFailure: (error: unknown) => {
      throw error;
    },
    onProgress: () => {},
  };
  beforeEach(async () => {
    bench = await openBench();
  });
  afterEach(() => bench.close());

  const laneAt = async (collection: string) => {
    await bench.views.prepare(collection, accounts.indexes);
    return createLane(accounts, collection, START);
  };
  const catchUp = (position: string) => {
    const group = createGroup();
    group.open = true;
    group.position = position;
    const joined: [string, string][] = [];
    const join = async ({ collection, position: at }: Lane) => void joined.push([collection, at]);
    const { store, views } = bench;
    const quiet = { onHalt: () => {}, onUnreadable: () => {}, onProgress: () => {} };
    return { deps: { store, views, group, join, ...quiet }, joined };
  };

  it('ends exactly where the group stands, though the log goes on', async () => {
    const there = await bench.write(opened('acc_1'), granted('acc_1', { balanceAfter: 5 }));
    await bench.write(granted('acc_1', { revision: 2, balanceAfter: 9 }), opened('acc_2'));
    const lane = await laneAt('accounts_v2_1');
    const { deps, joined } = catchUp(there);
    await bring(deps, [lane], retry);
    expect(joined).to.deep.equal([['accounts_v2_1', there]]);
    expect(await bench.views.checkpoint('accounts_v2_1')).to.equal(there);
    const kept = await bench.views.get<{ balance: number }>('accounts_v2_1', 'acc_1');
    expect(kept?.document.balance).to.equal(5);
    expect(await bench.views.get('accounts_v2_1', 'acc_2')).to.equal(undefined);
  });

  it('comes to where the group stands, though nothing of ours is there', async () => {
    const last = await bench.write(opened('acc_1'));
    const lane = await laneAt('accounts_v2_1');
    const { deps, joined } = catchUp(`${last}-system-events`);
    await bring(deps, [lane], retry);
    expect(joined).to.deep.equal([['accounts_v2_1', `${last}-system-events`]]);
  });

  it('lets those with the shortest way join first', async () => {
    const first = await bench.write(opened('acc_1'));
    const there = await bench.write(granted('acc_1'));
    const [far, near] = [await laneAt('accounts_v2_1'), await laneAt('accounts_v2_2')];
    const commit = { collection: near.collection, writes: [], from: START, to: first };
    await bench.views.commit([commit]);
    const { deps, joined } = catchUp(there);
    await bring(deps, [far, near], retry);
    expect(joined.map(([collection]) => collection)).to.deep.equal([
      'accounts_v2_2',
      'accounts_v2_1',
    ]);
  });

  it('waits until there is a group to join, and leaves out what was retired', async () => {
    const there = await bench.write(opened('acc_1'));
    const lane = await laneAt('accounts_v2_1');
    const retired = createLane(ledger, 'ledger_v1_1', START);
    retired.retired = true;
    const { deps, joined } = catchUp(there);
    deps.group.open = false;
    const brought = bring(deps, [lane, retired], retry);
    await new Promise(setImmediate);
    expect(joined).to.deep.equal([]);
    deps.group.open = true;
    await brought;
    expect(joined).to.deep.equal([['accounts_v2_1', there]]);
  });
});
