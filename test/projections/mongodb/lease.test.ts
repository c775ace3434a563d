import { expect } from 'chai';
import { alone } from '../../../src/projections/coordination.ts';
import { openConnection } from '../../../src/projections/mongodb/connection.ts';
import { createLeases } from '../../../src/projections/mongodb/lease.ts';
import { viewsOver } from '../../../src/projections/mongodb/views.ts';
import { coordinationContract } from '../../contract/coordination.ts';
import { createFakeMongo } from '../../support/mongodb/fake.ts';
import { openMongoViews, testDatabase } from '../../support/mongodb/views.ts';

const database = testDatabase();

interface Clock {
  now: number;
}

type Leases = ReturnType<typeof createLeases>;

const leasesOn = (name: string, open: (clock: Clock) => Promise<Leases>) =>
  describe(`Leases: ${name}`, () => {
    let clock: Clock;
    let leases: Leases[];
    let count = 0;
    const TTL = 4_000;
    const take = (index: number, lease = `work${count}`) =>
      leases[index]!.take(lease, `holder${index}`, TTL);

    beforeEach(async () => {
      count += 1;
      clock = { now: 1_000 };
      leases = [await open(clock), await open(clock), await open(clock)];
    });

    it('go to one of many that ask at once', async () => {
      for (let round = 0; round < 10; round += 1) {
        const lease = `rush${count}.${round}`;
        const won = await Promise.all([take(0, lease), take(1, lease), take(2, lease)]);
        expect(won.filter(Boolean)).to.have.length(1);
      }
    });
    it('are not had by others while they are renewed', async () => {
      expect(await take(0)).to.equal(true);
      for (let second = 0; second < 10; second += 1) {
        clock.now += 1_000;
        expect(await take(0)).to.equal(true);
        expect(await take(1)).to.equal(false);
      }
    });
    it('go to one of the processes that have waited the whole time', async () => {
      expect(await take(0)).to.equal(true);
      expect(await Promise.all([take(1), take(2)])).to.deep.equal([false, false]);
      clock.now += TTL - 1;
      expect(await Promise.all([take(1), take(2)])).to.deep.equal([false, false]);
      clock.now += 1;
      const won = await Promise.all([take(1), take(2)]);
      expect(won.filter(Boolean)).to.have.length(1);
      expect(await take(0), 'who slept').to.equal(false);
      const winner = won[0] ? 1 : 2;
      expect(await take(winner)).to.equal(true);
    });
    it('are not had by one who has only just heard of the holder', async () => {
      expect(await take(0)).to.equal(true);
      clock.now += 10 * TTL;
      expect(await take(1)).to.equal(false);
      expect(await take(0)).to.equal(true);
      clock.now += TTL;
      expect(await take(1), 'the count went on meanwhile').to.equal(false);
    });
    it('can be taken at once after they were given back, and only under their names', async () => {
      expect(await take(0)).to.equal(true);
      await leases[1]!.take(`work${count}`, 'holder1', 0);
      expect(await take(1)).to.equal(false);
      await leases[0]!.take(`work${count}`, 'holder0', 0);
      expect(await take(1)).to.equal(true);
    });
  });

coordinationContract('one process alone', async () => alone);
const fake = createFakeMongo();
coordinationContract('MongoDB, imitated', async () => viewsOver(fake.connect()).coordination);
leasesOn('MongoDB, imitated', async (clock) => createLeases(fake.connect(), () => clock.now));
if (database) {
  const { url } = database;
  const connections: { close(): Promise<void> }[] = [];
  after(() => Promise.all(connections.map((one) => one.close())));
  coordinationContract('MongoDB', async () => {
    const views = await openMongoViews({ url });
    connections.push(views);
    return views.coordination;
  });
  leasesOn('MongoDB', async (clock) => {
    const connection = await openConnection(url);
    connections.push(connection);
    return createLeases(connection, () => clock.now);
  });
}
