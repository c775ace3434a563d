import { expect } from 'chai';
import { createAlone } from '../../../src/projections/coordination.ts';
import { openConnection } from '../../../src/projections/mongodb/connection.ts';
import { createLeases, createProcessLeases } from '../../../src/projections/mongodb/lease.ts';
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
    const renew = (index: number) => leases[index]!.renew(`holder${count}.${index}`, TTL);
    const take = (index: number, unit = `lease${count}`) =>
      leases[index]!.take(unit, `holder${count}.${index}`);
    const holderOf = async (index: number, unit = `lease${count}`) =>
      (await renew(index)).held.get(unit);

    beforeEach(async () => {
      count += 1;
      clock = { now: 1_000 };
      leases = [await open(clock), await open(clock), await open(clock)];
      for (const index of leases.keys()) await renew(index);
    });

    it('go to one of many that take at once', async () => {
      for (let round = 0; round < 10; round += 1) {
        const unit = `rush${count}.${round}`;
        for (const index of leases.keys()) await renew(index);
        const won = await Promise.all([take(0, unit), take(1, unit), take(2, unit)]);
        expect(won.filter(Boolean)).to.have.length(1);
      }
    });
    it('are not had by others while their holder renews', async () => {
      expect(await take(0)).to.equal(true);
      for (let second = 0; second < 10; second += 1) {
        clock.now += 1_000;
        await renew(0);
        expect(await holderOf(1)).to.equal(`holder${count}.0`);
        expect(await take(2)).to.equal(false);
      }
    });
    it('are not taken from one who was first, though it was looked for them again since', async () => {
      expect(await holderOf(0)).to.equal(undefined);
      expect(await take(1)).to.equal(true);
      await renew(0);
      expect(await take(0)).to.equal(false);
      expect(await holderOf(0)).to.equal(`holder${count}.1`);
    });
    it('go to one of the processes that have waited the whole time', async () => {
      expect(await take(0)).to.equal(true);
      await Promise.all([renew(1), renew(2)]);
      clock.now += TTL - 1;
      for (const index of [1, 2]) expect(await holderOf(index)).to.equal(`holder${count}.0`);
      clock.now += 1;
      for (const index of [1, 2]) expect(await holderOf(index)).to.equal(undefined);
      const won = await Promise.all([take(1), take(2)]);
      expect(won.filter(Boolean)).to.have.length(1);
      expect(await holderOf(0), 'who slept').to.equal(`holder${count}.${won[0] ? 1 : 2}`);
    });
    it('are not had by one who has only just heard of the holder', async () => {
      expect(await take(0)).to.equal(true);
      clock.now += 10 * TTL;
      const newcomer = await open(clock);
      const { holders, held } = await newcomer.renew(`holder${count}.3`, TTL);
      expect(holders).to.include(`holder${count}.0`);
      expect(held.get(`lease${count}`)).to.equal(`holder${count}.0`);
    });
    it('can be taken at once after they were given back, and only under their names', async () => {
      expect(await take(0)).to.equal(true);
      await leases[1]!.release(`lease${count}`, `holder${count}.1`);
      expect(await holderOf(1)).to.equal(`holder${count}.0`);
      await leases[0]!.release(`lease${count}`, `holder${count}.0`);
      await renew(1);
      expect(await take(1)).to.equal(true);
    });
    it('forget a process that ended without leaving', async () => {
      await take(0);
      clock.now += 16 * TTL;
      await renew(1);
      await renew(2);
      const newcomer = await open(clock);
      const { holders } = await newcomer.renew(`holder${count}.3`, TTL);
      expect(holders).to.not.include(`holder${count}.0`);
    });
  });

type ProcessLeases = ReturnType<typeof createProcessLeases>;

const processLeasesOn = (name: string, open: (clock: Clock) => Promise<ProcessLeases>) =>
  describe(`Leases of processes: ${name}`, () => {
    const TTL = 4_000;
    let clock: Clock;
    let own: ProcessLeases;
    let other: ProcessLeases;
    let id: string;
    let count = 0;
    const endedForMs = async (by = other) => (await by.endSilent(TTL)).get(id);

    beforeEach(async () => {
      count += 1;
      id = `process${count}`;
      clock = { now: 1_000 };
      own = await open(clock);
      other = await open(clock);
      await own.begin(id);
    });

    it('do not end while they are renewed, nor before others have waited the whole time', async () => {
      for (let second = 0; second < 10; second += 1) {
        clock.now += 1_000;
        expect(await own.renew(id)).to.equal(true);
        expect(await endedForMs()).to.equal(undefined);
      }
      clock.now += TTL - 1;
      expect(await endedForMs()).to.equal(undefined);
      clock.now += 1;
      expect(await endedForMs()).to.equal(0);
    });
    it('have ended for good, for their holder too, and for so long as each has known', async () => {
      await endedForMs();
      clock.now += TTL;
      await endedForMs();
      expect(await own.renew(id)).to.equal(false);
      clock.now += 3_000;
      expect(await endedForMs()).to.equal(3_000);
      const late = await open(clock);
      expect(await endedForMs(late), 'who has only just heard of it').to.equal(undefined);
      clock.now += TTL;
      expect(await endedForMs(late)).to.equal(0);
      expect(await endedForMs()).to.equal(3_000 + TTL);
      expect(await own.renew(id)).to.equal(false);
    });
    it('have their whole time again after a late renewal', async () => {
      await endedForMs();
      clock.now += TTL;
      expect(await own.renew(id)).to.equal(true);
      expect(await endedForMs()).to.equal(undefined);
      clock.now += TTL - 1;
      expect(await endedForMs()).to.equal(undefined);
    });
    it('are forgotten after ten minutes, and may be held then, for all that is known', async () => {
      await endedForMs();
      clock.now += TTL;
      await endedForMs();
      clock.now += 149 * TTL;
      expect(await endedForMs()).to.equal(149 * TTL);
      clock.now += 1;
      expect(await endedForMs()).to.equal(undefined);
      expect(await own.renew(id)).to.equal(false);
    });
  });

coordinationContract('one process alone', async () => createAlone());
const fake = createFakeMongo();
coordinationContract('MongoDB, imitated', async () => viewsOver(fake.connect()).coordination);
leasesOn('MongoDB, imitated', async (clock) => createLeases(fake.connect(), () => clock.now));
processLeasesOn('MongoDB, imitated', async (clock) =>
  createProcessLeases(fake.connect(), () => clock.now),
);
if (database) {
  const { url } = database;
  const connections: { close(): Promise<void> }[] = [];
  after(() => Promise.all(connections.map((one) => one.close())));
  coordinationContract('MongoDB', async () => {
    const views = await openMongoViews({ url });
    connections.push(views);
    return views.coordination;
  });
  const connect = async () => {
    const connection = await openConnection(url);
    connections.push(connection);
    return connection;
  };
  leasesOn('MongoDB', async (clock) => createLeases(await connect(), () => clock.now));
  processLeasesOn('MongoDB', async (clock) =>
    createProcessLeases(await connect(), () => clock.now),
  );
}
