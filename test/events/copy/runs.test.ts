import { expect } from 'chai';
import fc from 'fast-check';
import { runsOf } from '../../../src/events/copy/copy.ts';
import type { SourceEvent } from '../../../src/events/copy/ports.ts';

const eventOf = (stream: string, position: number, characters = 2): SourceEvent => ({
  position,
  stream,
  revision: 0,
  id: '',
  type: 'Any',
  version: 1,
  meta: '{}',
  data: 'x'.repeat(characters),
});

const logs = fc
  .array(fc.tuple(fc.constantFrom('account-a', 'message-b'), fc.nat(150_000)), { maxLength: 40 })
  .map((picks) => picks.map(([stream, size], index) => eventOf(stream, index + 1, size)));

describe('the runs of a copy', () => {
  it('hold every event once, in the order of the log, each run of one stream', () => {
    fc.assert(
      fc.property(logs, (log) => {
        const runs = [...runsOf(log)];
        expect(runs.flat()).to.deep.equal(log);
        for (const run of runs) {
          expect(new Set(run.map(({ stream }) => stream)).size).to.equal(1);
          const characters = run.reduce((sum, { data }) => sum + data.length, 0);
          if (run.length > 1) expect(characters).to.be.at.most(256 * 1024);
        }
      }),
    );
  });

  it('put neighbours of one stream into one append, 500 at most', () => {
    const log = Array.from({ length: 501 }, (_, index) => eventOf('account-a', index + 1));
    expect([...runsOf([...log, eventOf('message-b', 502)])].map((run) => run.length)).to.deep.equal(
      [500, 1, 1],
    );
  });

  it('leave an event that is too large for a neighbour alone', () => {
    const log = [eventOf('a', 1), eventOf('a', 2, 300_000), eventOf('a', 3)];
    expect([...runsOf(log)].map((run) => run.length)).to.deep.equal([1, 1, 1]);
  });
});
