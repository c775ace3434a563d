import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { JobCommand } from '../../../src/commands/jobs/job.ts';
import { createJobs } from '../../../src/commands/jobs/jobs.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { memorySubjects } from '../../support/subjects.ts';
import { until } from '../../support/until.ts';

const spec = {
  name: null,
  event: 'order_shipped',
  languageCode: null,
  phoneNumberId: null,
  maxAmount: null,
  perSecond: null,
  failedShare: 0.2,
  quality: true,
  sendAt: null,
  deliverBetween: null,
  columns: {
    to: 'to',
    variables: { orderId: 'orderId', awbCode: 'awbCode', trackingLink: 'trackingLink' },
  },
};
const ROWS = 1_050;
async function* rows() {
  for (let row = 1; row <= ROWS; row += 1) {
    const fields = { to: `+91981234${String(row).padStart(4, '0')}`, orderId: 'A', awbCode: 'B' };
    yield { row, fields: { ...fields, trackingLink: 'https://shop.example' } };
  }
}

describe('the parts of a job', () => {
  /** Of five calls for keys, each takes fewer turns of the event loop than the one before. */
  const open = (onAdd: (added: number) => void = () => undefined) => {
    const commands: JobCommand[] = [];
    let calls = 0;
    let most = 0;
    let underWay = 0;
    const jobs = createJobs({
      writer: {} as never,
      async execute(_, __, command) {
        commands.push(command);
        if (command.type !== 'AddRows') return undefined as never;
        await nextTurn();
        onAdd(commands.length - 1);
        return undefined as never;
      },
      subjects: {
        ...memorySubjects,
        async ofAll(accountId, ids) {
          calls += 1;
          underWay += 1;
          most = Math.max(most, underWay);
          for (let turn = 5 - (calls % 5); turn > 0; turn -= 1) await nextTurn();
          underWay -= 1;
          return memorySubjects.ofAll(accountId, ids);
        },
      },
      quotes: {
        quote: async () => ({ items: [], billing: 'credits', currency: 'USD' }) as never,
      } as never,
      freeWrites: { left: async () => 1 },
      waiting: async () => ({ jobs: 0, bytes: 0 }),
      clock: fixedClock(),
      ids: countedIds(),
      onFault: (error) => expect.fail(String(error)),
    });
    const caller = { accountId: 'acc_1', requestId: 'req_1' };
    const create = () => jobs.create(spec, { rows: rows(), bytesMax: 1 }, caller, undefined);
    return { create, commands, most: () => most };
  };

  it('are added in the order of the file, however their keys come, a few ahead', async () => {
    const { create, commands, most } = open();
    await create();
    await until('it is checked', () => commands.at(-1)?.type === 'FinishCheck');
    const added = commands.flatMap((one) => (one.type === 'AddRows' ? one.rows.numbers : []));
    expect(added).to.deep.equal(Array.from({ length: ROWS }, (_, at) => at + 1));
    expect(most()).to.be.within(2, 4);
  });

  it('are not added after one that failed, and the job is unusable after all of them', async () => {
    const { create, commands } = open((added) => {
      if (added === 3) throw new StoreUnavailable('the log is away');
    });
    const error = await create().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(StoreUnavailable);
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    expect(commands.map(({ type }) => type)).to.deep.equal([
      'Create',
      'AddRows',
      'AddRows',
      'AddRows',
      'MarkUnusable',
    ]);
  });
});
