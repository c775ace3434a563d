import { expect } from 'chai';
import { START } from '../../../src/events/store.ts';
import { accounts } from '../../../src/projections/accounts.ts';
import type { Projection } from '../../../src/projections/define.ts';
import { foldEvents } from '../../../src/projections/engine/apply.ts';
import {
  createCollectionWriter,
  moversOf,
} from '../../../src/projections/engine/collection-writer.ts';
import { findDrift } from '../../../src/projections/engine/slots.ts';
import { inEachTest } from '../../support/in-suite.ts';
import { openBench } from '../../support/projections-engine.ts';
import { granted, opened } from '../../support/projections-facts.ts';

const projection = accounts as Projection;
const [serving, other] = ['accounts_v9_1', 'accounts_v9_2'];

describe('views that a process writes', () => {
  const bench = inEachTest(openBench);
  beforeEach(async () => {
    const { views } = bench;
    await views.prepare(serving, []);
    await views.promote(projection.name, serving, undefined);
  });

  const driftAt = (position: string, isFollowing = true) => {
    const writer = createCollectionWriter(projection, serving, [position]);
    writer.places.get(0)!.isLive = isFollowing;
    return findDrift(bench.views, [{ projection, serving, writer, next: undefined }]);
  };
  const moveTo = (to: string) =>
    bench.views.commit([{ collection: serving, writes: [], from: START, to }]);

  it('are as expected where their checkpoint is, and behind it', async () => {
    await moveTo('0005');
    expect(await driftAt('0005')).to.equal(undefined);
    expect(await driftAt('0004')).to.equal(undefined);
  });
  it('were set back when their checkpoint is behind what was written', async () => {
    await moveTo('0005');
    expect(await driftAt('0006')).to.equal(`the views of ${serving} were set back`);
    expect(await driftAt('0006', false), 'of a writer that catches up').to.equal(undefined);
  });
  it('are no longer the ones that serve once others were promoted', async () => {
    await bench.views.prepare(other, []);
    await bench.views.promote(projection.name, other, serving);
    expect(await driftAt(START)).to.equal(`${other} serves in place of ${serving}`);
  });

  it('get no document again that has seen the events', async () => {
    const to = await bench.write(opened('acc_1'), granted('acc_1'));
    const events = await bench.events();
    const foldAgain = async () => {
      const writer = createCollectionWriter(projection, serving, [START]);
      const [folded] = await foldEvents(
        { views: bench.views, open: async (all) => all },
        moversOf([writer], () => true),
        events,
        to,
      );
      return folded!.commit;
    };
    const first = await foldAgain();
    expect(first.writes.map(({ id }) => id)).to.deep.equal(['acc_1']);
    await bench.views.commit([first]);
    expect((await foldAgain()).writes).to.deep.equal([]);
  });
});
