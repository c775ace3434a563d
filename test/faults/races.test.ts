import { expect } from 'chai';
import { openEmbeddedTrack, openSharedTrack, type RaceTrack } from '../support/faults/race.ts';
import { chooseSeed } from '../support/faults/random.ts';
import { useRealConnections } from '../support/network.ts';

const tracks: { row: number; what: string; open: () => Promise<RaceTrack>; races: number }[] = [
  { row: 9, what: 'one instance', open: openEmbeddedTrack, races: 2 },
  { row: 10, what: 'three instances on one log', open: () => openSharedTrack(3), races: 1 },
];

describe('1,000 sends at once', () => {
  useRealConnections();
  const seed = chooseSeed();

  for (const { row, what, open, races } of tracks) {
    describe(`over ${what}`, () => {
      let track: RaceTrack;
      before(async () => {
        track = await open();
      });
      after(() => track.close());

      for (let race = 0; race < races; race += 1) {
        it(`row ${row}: over ${what} exactly so many pass as are paid for, ${race + 1} (WAYBILL_FAULTS_SEED=${seed})`, async () => {
          const plan = { seed: seed + race, sends: 1000 };
          const { problems, sent, refused } = await track.race(plan);
          expect(problems).to.deep.equal([]);
          expect(sent + refused).to.equal(1000);
        });
      }
    });
  }
});
