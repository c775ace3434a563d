import { expect } from 'chai';
import { BotChanged } from '../../src/events/bot.ts';
import {
  BotActionStarted,
  BotRunAnswered,
  BotRunEnded,
  BotRunStepped,
} from '../../src/events/conversation.ts';
import { botRuns } from '../../src/projections/bot-runs.ts';
import { bots } from '../../src/projections/bots.ts';
import { isoTime } from '../../src/shared/clock.ts';
import { given } from '../support/projections.ts';
import { positionAt, written } from '../support/projections-facts.ts';
import { botDefinition, botRunStarted, botRunWaiting, NOW } from '../support/samples.ts';

const run = { runId: 'run_1', botId: 'bot_1' };
const conversationId = 'acc_1.100000000000001.919812345678';
const owner = {
  accountId: 'acc_1',
  phoneNumberId: '100000000000001',
  waId: '919812345678',
  contactRef: 'ref_1',
  userId: null,
};
const of = (fact: Parameters<typeof written>[1], seconds = 0) =>
  written(`conversation-${conversationId}`, fact, NOW + 1000 * seconds);
const at = (seconds: number) => isoTime(NOW + 1000 * seconds);

const started = of(
  botRunStarted({ ...owner, messageId: 'in1', contactName: 'Asha', text: 'hi', takenAt: at(0) }),
);
type Steps = NonNullable<Parameters<typeof BotRunEnded.of>[0]['steps']>;
const left = (steps: Steps) => ({ contactRef: 'ref_1', steps, stepCount: steps.length });
const acting = (nodeId: string, seconds: number, steps: Steps = []) =>
  of(
    BotActionStarted.of({
      ...run,
      nodeId,
      kind: 'send',
      attempts: 0,
      startedAt: at(seconds),
      ...left(steps),
    }),
    seconds,
  );
const stepped = (nodeId: string, nextNodeId: string | null) =>
  of(
    BotRunStepped.of({
      ...run,
      nodeId,
      nodeType: 'message',
      outcome: 'default',
      nextNodeId,
      messageId: null,
      httpStatus: null,
      detail: null,
      variables: {},
    }),
    2,
  );
const waiting = (kind: 'reply' | 'delay', steps: Steps = []) =>
  of(botRunWaiting({ nodeId: 'c', kind, until: at(60), messageId: 'out1', ...left(steps) }), 3);
const answered = of(
  BotRunAnswered.of({
    ...run,
    messageId: 'in2',
    messageRevision: 5,
    text: 'yes',
    takenAt: at(4),
    contactRef: 'ref_1',
    waId: null,
    userId: null,
  }),
  4,
);
const ended = (nodeId: string | null, steps: Steps = []) =>
  of(
    BotRunEnded.of({
      ...run,
      accountId: 'acc_1',
      nodeId,
      reason: 'failed',
      detail: 'why',
      ...left(steps),
    }),
    9,
  );

describe('runs of bots', () => {
  const history = given(botRuns);

  it('begin ready, at no node', () =>
    history(started).thenIs('run_1', {
      id: 'run_1',
      botId: 'bot_1',
      conversationId,
      ...owner,
      contactName: 'Asha',
      messageId: 'in1',
      phase: 'ready',
      open: true,
      phaseAt: at(0),
      waitsFor: null,
      nodeId: null,
      steps: 0,
      reason: null,
      detail: null,
      startedAt: at(0),
      endedAt: null,
      fromRevision: 0,
      toRevision: 0,
      lane: null,
      due: null,
      order: positionAt(0),
      sealedMonth: null,
    }));

  it('tell what they do, and since when', () =>
    history(started, acting('a', 1)).thenShows('run_1', {
      phase: 'acting',
      phaseAt: at(1),
      nodeId: 'a',
      waitsFor: null,
      toRevision: 1,
      open: true,
      lane: 'acc_1',
      due: `${at(1)} run_1`,
    }));

  it('count the nodes that they left, and stand at the next or where there is none', () => {
    const first = { phase: 'ready', steps: 1, nodeId: 'b' } as const;
    history(started, stepped('a', 'b')).thenShows('run_1', first);
    const second = { ...first, steps: 2, toRevision: 2 };
    history(started, stepped('a', 'b'), stepped('b', null)).thenShows('run_1', second);
  });

  it('count the steps of whatever event holds them', () => {
    const steps = ['a', 'b'].map((nodeId) => ({ nodeId, nodeType: 'message', outcome: 'default' }));
    history(started, acting('c', 1, steps)).thenShows('run_1', { steps: 2, nodeId: 'c' });
    history(started, stepped('a', 'b'), waiting('delay', steps)).thenShows('run_1', { steps: 3 });
    const over = { steps: 4, phase: 'ended', toRevision: 2 } as const;
    history(started, acting('c', 1, steps), ended('c', steps)).thenShows('run_1', over);
  });

  for (const kind of ['reply', 'delay'] as const) {
    it(`tell until when they wait for a ${kind}, and go on`, () => {
      history(started, waiting(kind)).thenShows('run_1', {
        phase: 'waiting',
        phaseAt: at(60),
        waitsFor: kind,
        nodeId: 'c',
        toRevision: 1,
        lane: 'acc_1',
        due: `${at(60)} run_1`,
      });
      const ready = { phase: 'ready', waitsFor: null, nodeId: 'c', lane: null, due: null } as const;
      history(started, waiting(kind), answered).thenShows('run_1', { ...ready, toRevision: 2 });
      history(started, waiting(kind), acting('d', 5)).thenShows('run_1', { waitsFor: null });
      history(started, waiting(kind), stepped('c', 'd')).thenShows('run_1', { waitsFor: null });
    });
  }

  it('end with a reason, at the node that the end names or where they stood', () => {
    const end = {
      phase: 'ended' as const,
      open: false,
      phaseAt: at(9),
      endedAt: at(9),
      waitsFor: null,
      reason: 'failed' as const,
      detail: 'why',
    };
    history(started, waiting('reply'), ended('x')).thenShows('run_1', { ...end, nodeId: 'x' });
    history(started, waiting('reply'), ended(null)).thenShows('run_1', { ...end, nodeId: 'c' });
    history(started, ended(null)).thenShows('run_1', { ...end, nodeId: null });
  });

  it('are not made of the rest of a run whose beginning is not there', () => {
    const rest = [acting('a', 1), stepped('a', 'b'), waiting('reply'), answered, ended('x')];
    for (const fact of rest) history(fact).thenHas(0);
  });
});

describe('bots', () => {
  const history = given(bots);
  const definition = botDefinition({ nodes: [{ id: 'a' }] } as never);
  const changed = (bot: typeof definition | null, seconds = 0) =>
    written(
      'bot-bot_1',
      BotChanged.of({
        botId: 'bot_1',
        accountId: 'acc_1',
        bot,
        change: bot === null ? 'deleted' : seconds === 0 ? 'created' : 'updated',
      }),
      NOW + 1000 * seconds,
    );

  it('are as their owner wrote them last, and keep their place and age', () => {
    const created = {
      id: 'bot_1',
      accountId: 'acc_1',
      ...definition,
      totalExecutions: 0,
      lastExecutedAt: null,
      createdAt: at(0),
      updatedAt: at(0),
      revision: 0,
      order: positionAt(0),
    };
    history(changed(definition)).thenIs('bot_1', created);
    const renamed = changed({ ...definition, name: 'New' }, 5);
    const later = { ...created, name: 'New', updatedAt: at(5), revision: 1 };
    history(changed(definition), renamed).thenIs('bot_1', later);
  });

  it('count their runs, also over a change', () => {
    const facts = [changed(definition), started, started];
    const counts = { totalExecutions: 2, lastExecutedAt: at(0) };
    history(...facts).thenShows('bot_1', counts);
    const stopped = changed({ ...definition, isActive: false }, 5);
    history(...facts, stopped).thenShows('bot_1', { ...counts, isActive: false });
  });

  it('are gone when they are deleted, and a run that still begins brings none back', () => {
    history(changed(definition), changed(null, 1)).thenHas(0);
    history(changed(definition), changed(null, 1), started).thenHas(0);
    expect(history(started).document('bot_1')).to.equal(undefined);
  });
});
