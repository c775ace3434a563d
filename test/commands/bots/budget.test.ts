import { expect } from 'chai';
import { createBudget, RunStop, TURN_BUDGET_MAX } from '../../../src/commands/bots/budget.ts';
import { answer, parseNode } from '../../../src/commands/bots/nodes.ts';
import { inbound } from './runs.ts';

describe('the CPU budget of a turn', () => {
  it('is a million units, all of which it may spend', () => {
    expect(TURN_BUDGET_MAX).to.equal(1_000_000);
    const budget = createBudget();
    budget.spend(999_999);
    budget.spend(1);
    budget.spend(0);
    expect(() => budget.spend(1)).to.throw(RunStop, 'computes too much');
  });
});

describe('a reply to a node that does not wait', () => {
  it('ends the run as failed', () => {
    for (const [type, data] of Object.entries({ message: { text: 'Hi' }, delay: { seconds: 1 } })) {
      const parsed = parseNode({ id: 'n', type, data });
      if (parsed.problems) throw new Error(parsed.problems.join());
      const reply = () => answer(parsed.node, inbound('x'), 0, {} as never);
      expect(reply).to.throw(RunStop, 'waits for no reply').with.property('reason', 'failed');
    }
  });
});

describe('a node without data', () => {
  it('is one with none', () => {
    for (const type of ['end', 'handoff'] as const) {
      expect(parseNode({ id: 'n', type }).problems, type).to.equal(undefined);
    }
  });
});
