import { expect } from 'chai';
import { openEmbeddedTrack, openSharedTrack, type RaceTrack } from '../support/faults/race.ts';
import { chooseSeed } from '../support/faults/random.ts';
import { useRealConnections } from '../support/network.ts';

const tracks: { row: number; what: string; open: () => Promise<RaceTrack> }[] = [
  { row: 9, what: 'one instance', open: openEmbeddedTrack },
  { row: 10, what: 'three instances on one log', open: () => openSharedTrack(3) },
];

/** `npm run faults` has 1,000. */
const SENDS = 100;

describe('sends at once, with credit by chance @long @series', () => {
  useRealConnections();
  const seed = chooseSeed();

  for (const { row, what, open } of tracks) {
    describe(`over ${what}`, () => {
      let track: RaceTrack;
      before(async () => {
        track = await open();
      });
      after(() => track.close());

      it(`row ${row}: over ${what} exactly so many pass as are paid for (WAYBILL_FAULTS_SEED=${seed})`, async () => {
        const { problems, sent, refused } = await track.race({ seed, sends: SENDS });
        expect(problems).to.deep.equal([]);
        expect(sent + refused).to.equal(SENDS);
      });
    });
  }
});
