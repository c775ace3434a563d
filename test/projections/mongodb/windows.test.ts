import { expect } from 'chai';
import { createSharedWindows } from '../../../src/projections/mongodb/views.ts';
import { createFakeMongo } from '../../support/mongodb/fake.ts';

describe('windows that instances share over MongoDB', () => {
  let mongo: ReturnType<typeof createFakeMongo>;
  let one: ReturnType<typeof createSharedWindows>;
  let other: typeof one;
  beforeEach(() => {
    mongo = createFakeMongo();
    [one, other] = [createSharedWindows(mongo.connect()), createSharedWindows(mongo.connect())];
  });

  it('begin once after each other, whoever begins them', async () => {
    expect(await one.look('bucket')).to.equal(undefined);
    expect(await one.begin('bucket', 0, 2)).to.include({ number: 1, taken: 2 });
    expect(await other.begin('bucket', 0, 5), 'the first has begun').to.equal(undefined);
    expect(await other.look('bucket')).to.include({ number: 1, taken: 2 });
    expect(await other.begin('bucket', 1, 3)).to.include({ number: 2, taken: 3 });
    expect(await one.begin('bucket', 1, 4), 'the second has begun').to.equal(undefined);
    expect(await one.look('bucket')).to.include({ number: 2, taken: 3 });
    expect(await one.begin('another', 1, 1), 'it has no first one').to.equal(undefined);
  });

  it('give what is left of their limit, and only while they are open', async () => {
    await one.begin('bucket', 0, 2);
    expect(await other.take('bucket', 1, 3, 5)).to.include({ number: 1, taken: 5 });
    expect(await one.take('bucket', 1, 1, 5), 'all is taken').to.equal(undefined);
    await other.release('bucket', 1, 1);
    expect(await one.take('bucket', 1, 1, 5)).to.include({ taken: 5 });
    await one.begin('bucket', 1, 0);
    expect(await one.take('bucket', 1, 1, 5), 'it is over').to.equal(undefined);
    await one.release('bucket', 1, 1);
    expect(await one.look('bucket')).to.include({ number: 2, taken: 0 });
  });

  it('are read as they are after the change, and wait for one server only', async () => {
    const connection = mongo.connect();
    const rows = connection.db.collection('views.windows');
    const options: unknown[] = [];
    const findOneAndUpdate = (filter: object, update: object, how: object) => {
      options.push(how);
      return rows.findOneAndUpdate(filter, update, how);
    };
    const db = { collection: () => ({ ...rows, findOneAndUpdate }) } as never;
    const windows = createSharedWindows({ ...connection, db });
    await windows.begin('bucket', 0, 2);
    await windows.look('bucket');
    const how = { returnDocument: 'after', writeConcern: { w: 1 } };
    expect(options).to.deep.equal([
      { ...how, upsert: true },
      { ...how, upsert: false },
    ]);
  });

  it('are deleted by the server, by an index that each client asks for until it is there', async () => {
    let isAway = true;
    let asked = 0;
    const connection = mongo.connect();
    const rows = connection.db.collection('views.windows');
    const createIndex = async (...index: unknown[]) => {
      asked += 1;
      if (isAway) throw new Error('away');
      mongo.tableOf('views.windows').indexes = [index];
    };
    const db = { collection: () => ({ ...rows, createIndex }) } as never;
    const windows = createSharedWindows({ ...connection, db });
    await windows.look('bucket');
    isAway = false;
    await windows.look('bucket');
    await windows.look('bucket');
    expect(asked).to.equal(2);
    expect(mongo.tableOf('views.windows').indexes).to.deep.equal([
      [{ lookedAt: 1 }, { expireAfterSeconds: 300 }],
    ]);
  });
});
