import { expect } from 'chai';
import { createCandidates } from '../../../src/commands/bots/bot-runs.ts';
import type { Candidate } from '../../../src/commands/bots/matching.ts';

const times = ['2026-11-21T12:00:00.000Z', '2026-11-21T12:00:00.001Z', '2026-11-21T12:00:00.002Z'];

describe('the bots that may answer a message', () => {
  it('are those that were there when it was written', async () => {
    const bots = times.map((createdAt) => ({ botId: createdAt, createdAt }) as Candidate);
    const candidates = createCandidates({ bots: async () => bots as never });
    const at = async (time: string) =>
      (await candidates.at('acc_1', time)).map(({ botId }) => botId);
    expect(await at(times[1]!)).to.deep.equal(times.slice(0, 2));
    expect(await at('2026-11-21T11:59:59.999Z')).to.deep.equal([]);
  });

  it('stay those of a later look where an earlier one fails', async () => {
    const answers: ((bots: unknown) => void)[] = [];
    let looks = 0;
    const candidates = createCandidates({
      bots: () => {
        looks += 1;
        return new Promise((resolve, reject) =>
          answers.push((bots) => (bots ? resolve(bots as never) : reject(new Error('away')))),
        );
      },
    });
    const [time] = times;
    const first = candidates.at('acc_1', time!).catch((error: Error) => error.message);
    candidates.invalidate('acc_1');
    const second = candidates.at('acc_1', time!);
    answers[0]!(undefined);
    expect(await first).to.equal('away');
    answers[1]!([]);
    expect(await second).to.deep.equal([]);
    await candidates.at('acc_1', time!);
    expect(looks).to.equal(2);
  });
});
