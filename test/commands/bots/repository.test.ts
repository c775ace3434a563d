import { expect } from 'chai';
import { createBotRepository } from '../../../src/commands/bots/bot.ts';
import type { Recorded } from '../../../src/events/store.ts';

const MEGABYTE = 1024 * 1024;

/** Bots of one revision each, with a node of so many bytes; null for one that was deleted. */
const open = (bytesOf: (botId: string) => number | null) => {
  const reads: string[] = [];
  const bounds: unknown[] = [];
  const repository = createBotRepository({
    store: {
      async read(stream, options = {}) {
        const { from = 0 } = options;
        reads.push(stream);
        bounds.push(options);
        const bytes = bytesOf(stream.slice('bot-acc_1.'.length));
        const nodes = [{ id: 'n', note: 'x'.repeat(bytes ?? 0) }];
        const bot = bytes === null ? null : { nodes, edges: [] };
        return [{ revision: from, data: { accountId: 'acc_1', bot } } as unknown as Recorded];
      },
    },
  });
  return { repository, reads, bounds };
};

describe('the graphs of bots', () => {
  /** What the smallest graph is estimated to take in memory. */
  const least = 2000 + JSON.stringify([[{ id: 'n', note: '' }], []]).length;

  it('are read once each, and kept up to 64 MB together', async () => {
    const { repository, reads } = open((botId) => (botId === 'small' ? 0 : 16 * MEGABYTE - least));
    for (const botId of ['a', 'b', 'c', 'd', 'a']) await repository.graphAt('acc_1', botId, 0);
    expect(reads).to.have.length(4);
    // The oldest goes for one byte too many: that is b, because a was asked for again.
    await repository.graphAt('acc_1', 'small', 0);
    await repository.graphAt('acc_1', 'a', 0);
    await repository.graphAt('acc_1', 'b', 0);
    expect(reads.slice(4)).to.deep.equal(['bot-acc_1.small', 'bot-acc_1.b']);
  });

  it('are distinguished by their revision, and read alone', async () => {
    const { repository, reads, bounds } = open(() => 1);
    await repository.graphAt('acc_1', 'a', 0);
    await repository.graphAt('acc_1', 'a', 1);
    await repository.current('acc_1', 'a');
    expect(reads).to.have.length(3);
    expect(bounds).to.deep.equal([
      { from: 0, limit: 1 },
      { from: 1, limit: 1 },
      { direction: 'backwards', limit: 1 },
    ]);
  });

  it('are empty for a bot that was deleted, which is no current one', async () => {
    const { repository } = open(() => null);
    expect((await repository.graphAt('acc_1', 'a', 0)).isEmpty).to.equal(true);
    expect(await repository.current('acc_1', 'a')).to.equal(undefined);
  });
});
