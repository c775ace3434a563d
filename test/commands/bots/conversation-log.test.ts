import { expect } from 'chai';
import { createConversationLog, type RunEnd } from '../../../src/commands/bots/conversation-log.ts';
import { BotRunEnded, type BotRunEndReason } from '../../../src/events/conversation.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { memorySubjects } from '../../support/subjects.ts';
import { conversation } from './runs.ts';

const ended = (reason: BotRunEndReason) =>
  BotRunEnded.of({
    runId: 'run_1',
    botId: 'bot_1',
    accountId: 'acc_1',
    nodeId: 'n',
    contactRef: 'ref_1',
    reason,
    detail: null,
    steps: null,
    stepCount: 0,
  });

const open = (facts: readonly unknown[], failures = 0, subjects = memorySubjects) => {
  const executed: unknown[] = [];
  const bound: RunEnd[] = [];
  let left = failures;
  const log = createConversationLog({
    signal: new AbortController().signal,
    subjects,
    links: {
      linkOf: async (phoneNumberId) => ({ accountId: phoneNumberId, link: 1, moved: false }),
    },
    onBound: (end) => bound.push(end),
    writer: {
      async execute(_: unknown, id: string, command: unknown, context: unknown) {
        left -= 1;
        if (left >= 0) throw new StoreUnavailable('away');
        executed.push([id, command, context]);
        return { facts };
      },
    } as never,
  });
  return { log, executed, bound };
};

describe('the log of a conversation', () => {
  it('records a turn on the state that it was computed from, also once the log is back', async () => {
    const facts = [ended('completed')];
    const { log, executed } = open(facts, 1);
    expect(await log.record(conversation, 7, facts)).to.equal(true);
    const command = { type: 'RecordTurn', basis: 7, facts };
    expect(executed).to.deep.equal([['acc_1.10.ref_1', command, conversation.context]]);
  });

  it('says where another turn was recorded meanwhile', async () => {
    expect(await open([]).log.record(conversation, 7, [ended('completed')])).to.equal(false);
  });

  it('tells of a run that a bound has ended, and of no other', async () => {
    for (const reason of ['completed', 'superseded', 'failed', 'timeout'] as const) {
      const { log, bound } = open([ended(reason)]);
      await log.record(conversation, 0, []);
      expect(bound, reason).to.deep.equal([]);
    }
    const { log, bound } = open([ended('bounds')]);
    await log.record(conversation, 0, []);
    expect(bound).to.deep.equal([ended('bounds').data]);
  });

  it('ends a run for a reason that is not its own', async () => {
    const { log, executed } = open([]);
    await log.endRun(conversation, 'run_1', 'bot_deleted');
    const command = { type: 'EndRun', runId: 'run_1', reason: 'bot_deleted' };
    expect(executed).to.deep.equal([['acc_1.10.ref_1', command, conversation.context]]);
    expect(await log.linkOf({ phoneNumberId: '10' })).to.include({ accountId: '10' });
  });
});
