import { expect } from 'chai';
import { atMostEvery } from '../../../src/http/ops/at-most-every.ts';

describe('a result that is made at most once per interval', () => {
  let now: number;
  let makings: ((result: string | Error) => void)[];
  let get: () => Promise<string>;
  beforeEach(() => {
    now = 0;
    makings = [];
    const make = () =>
      new Promise<string>((resolve, reject) => {
        makings.push((result) => (typeof result === 'string' ? resolve(result) : reject(result)));
      });
    get = atMostEvery(1000, make, () => now);
  });

  it('is made once for all callers that wait for it', async () => {
    const first = get();
    now = 5000;
    const second = get();
    makings[0]!('one');
    expect(await Promise.all([first, second])).to.deep.equal(['one', 'one']);
    expect(makings).to.have.length(1);
  });

  it('is kept for the interval', async () => {
    const first = get();
    makings[0]!('one');
    await first;
    now = 999;
    expect(await get()).to.equal('one');
    now = 1000;
    const second = get();
    makings[1]!('two');
    expect(await second).to.equal('two');
  });

  it('is made again at once after a failure', async () => {
    const first = get().catch((error: Error) => error.message);
    makings[0]!(new Error('down'));
    expect(await first).to.equal('down');
    const second = get();
    makings[1]!('two');
    expect(await second).to.equal('two');
  });
});
