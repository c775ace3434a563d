import { expect } from 'chai';
import { createMemo } from '../../../src/service/lookups/lookup-cache.ts';

describe('what is made of look-ups', () => {
  let version: number | undefined;
  let made: string[];
  const open = (isWhole?: (plan: { text: string }) => boolean) => {
    const plans = createMemo<{ text: string }>(() => version, isWhole);
    return (text: string, key = 'k') =>
      plans(key, async () => {
        made.push(text);
        return { text };
      });
  };
  beforeEach(() => {
    version = 1;
    made = [];
  });

  it('are kept by their key, and there at once', async () => {
    const plan = open();
    const first = await plan('first');
    expect(plan('second')).to.equal(first);
    await plan('other', 'another key');
    expect(made).to.deep.equal(['first', 'other']);
  });

  it('are made anew once an answer has changed, also while they are made', async () => {
    const plan = open();
    await plan('first');
    version = 2;
    const second = plan('second');
    version = 3;
    await second;
    expect(await plan('third')).to.deep.equal({ text: 'third' });
    expect(plan('fourth')).to.deep.equal({ text: 'third' });
  });

  it('are not kept where answers are not, nor where they are not whole', async () => {
    version = undefined;
    const plan = open(({ text }) => text !== 'partial');
    await plan('first');
    await plan('second');
    version = 1;
    await plan('partial');
    await plan('whole');
    await plan('unasked');
    expect(made).to.deep.equal(['first', 'second', 'partial', 'whole']);
  });
});
