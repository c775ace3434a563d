import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { JobCommand } from '../../../src/commands/jobs/job.ts';
import { createJobs } from '../../../src/commands/jobs/jobs.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { countedIds, fixedClock } from '../../support/ambient.ts';
import { jobSpec } from '../../support/samples.ts';
import { codeOf } from '../../support/spec.ts';
import { memorySubjects } from '../../support/subjects.ts';

const variables = { orderId: 'orderId', awbCode: 'awbCode', trackingLink: 'trackingLink' };
const spec = { ...jobSpec, columns: { to: 'to', variables } };
const ROWS = 1_050;
const rowTo = (row: number, recipient = row) => {
  const to = `+91981234${String(recipient).padStart(4, '0')}`;
  return { row, fields: { to, ...variables } };
};
async function* rows(...more: ReturnType<typeof rowTo>[]) {
  for (let row = 1; row <= ROWS; row += 1) yield rowTo(row);
  yield* more;
}

describe('the parts of a job', () => {
  /** Of five calls for keys, each takes fewer turns of the event loop than the one before. */
  const open = (onAdd: (added: number) => void = () => undefined) => {
    const commands: JobCommand[] = [];
    const erasures: string[] = [];
    let calls = 0;
    let most = 0;
    let underWay = 0;
    const jobs = createJobs({
      writer: {
        async execute(_: unknown, __: unknown, command: { type: string }) {
          erasures.push(command.type);
        },
      } as never,
      async execute(_, __, command) {
        commands.push(command);
        const status = command.type === 'MarkUnusable' ? 'unusable' : 'checking';
        await nextTurn();
        if (command.type === 'AddRows') onAdd(commands.length - 1);
        return { state: { status } } as never;
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
    });
    const caller = { accountId: 'acc_1', requestId: 'req_1' };
    const create = (from = rows()) =>
      jobs.create(spec, { rows: from, bytesMax: 1 }, caller, undefined);
    const rehearse = () => jobs.rehearse(spec, rows(rowTo(ROWS + 1, 1)), caller);
    return { create, rehearse, commands, erasures, most: () => most };
  };

  it('are added in the order of the file, however their keys come, a few ahead, and its plan before it is answered', async () => {
    const { create, commands, most } = open();
    await create();
    expect(commands.at(-1)?.type).to.equal('FinishCheck');
    const added = commands.flatMap((one) => (one.type === 'AddRows' ? one.rows.numbers : []));
    expect(added).to.deep.equal(Array.from({ length: ROWS }, (_, at) => at + 1));
    expect(most()).to.be.within(2, 4);
  });

  it('are of 100 rows at most, and end with the row that brings them to 128 KiB', async () => {
    const { create, commands } = open();
    const long = 'x'.repeat(20_000);
    async function* wide() {
      for (let row = 1; row <= 16; row += 1) {
        const { fields } = rowTo(row);
        yield { row, fields: { ...fields, orderId: long } };
      }
    }
    await create(wide());
    const sizes = commands.flatMap((one) =>
      one.type === 'AddRows' ? one.rows.numbers.length : [],
    );
    expect(sizes).to.deep.equal([7, 7, 2]);
  });

  it('are not added after one that failed, and the job is unusable after all of them, its file destroyed', async () => {
    const { create, commands, erasures } = open((added) => {
      if (added === 3) throw new StoreUnavailable('the log is away');
    });
    expect(await codeOf(create())).to.equal('StoreUnavailable');
    for (let turn = 0; turn < 20; turn += 1) await nextTurn();
    const types = 'Create AddRows AddRows AddRows MarkUnusable DestroyFile';
    expect(commands.map(({ type }) => type).join(' ')).to.equal(types);
    expect(erasures).to.deep.equal(['Request']);
  });

  it('are only counted in a dry run', async () => {
    const { rehearse, commands, most } = open();
    const { plan, flaws } = await rehearse();
    expect(plan).to.include({ rows: ROWS + 1, good: ROWS, duplicates: 1 });
    const duplicate = { row: ROWS + 1, state: 'duplicate', problem: 'has the recipient of row 1' };
    expect(flaws).to.deep.equal([duplicate]);
    expect([commands.length, most()]).to.deep.equal([0, 0]);
  });
});
