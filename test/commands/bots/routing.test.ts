import { expect } from 'chai';
import { routeInbound } from '../../../src/commands/bots/bot-runs.ts';
import type { Candidate } from '../../../src/commands/bots/matching.ts';
import type { Phase, Run } from '../../../src/commands/bots/run.ts';
import { type BotsState, noBots } from '../../../src/commands/bots/state.ts';
import { NOW } from '../../support/samples.ts';
import { contact } from './graphs.ts';
import { inbound } from './runs.ts';

const anyMessage: Candidate = {
  botId: 'bot_any',
  phoneNumberId: null,
  trigger: 'ANY_MESSAGE',
  triggerKeywords: [],
  triggerMatchType: 'CONTAINS',
  isActive: true,
  createdAt: '2026-11-01T00:00:00.000Z',
};

const runIn = (phase: Phase): Run => ({
  runId: 'run_1',
  botId: 'bot_1',
  contact,
  text: '',
  variables: {},
  nodeId: 'q',
  steps: 0,
  requests: 0,
  phase,
});
const route = (state: Partial<BotsState>, bots = [anyMessage], change = {}, writtenAt = NOW) =>
  routeInbound({ ...noBots, ...state }, bots, {
    phoneNumberId: '100000000000001',
    inbound: { ...inbound('hi'), revision: 5, ...change },
    writtenAt,
    now: NOW,
  });

describe('bots: where an inbound message goes', () => {
  const waiting = runIn({ kind: 'waiting', attempts: 0, until: NOW + 1 });
  const sleeping = runIn({ kind: 'delaying', until: NOW + 1 });

  it('to a run that waits, before any bot', () =>
    expect(route({ run: waiting })).to.deep.equal({ kind: 'answer', run: waiting }));

  it('else to the bot that answers, if there is one', () => {
    expect(route({})).to.deep.equal({ kind: 'start', bot: anyMessage, supersedes: null });
    expect(route({}, [])).to.deep.equal({ kind: 'none', because: 'no_bot' });
  });

  it('past a run that sleeps, which goes on when no bot answers', () => {
    expect(route({ run: sleeping })).to.deep.equal({
      kind: 'start',
      bot: anyMessage,
      supersedes: sleeping,
    });
    expect(route({ run: sleeping }, [])).to.deep.equal({ kind: 'none', because: 'no_bot' });
  });

  it('nowhere when it was taken before', () => {
    expect(route({ run: waiting, takenRevision: 5 })).to.deep.equal({
      kind: 'none',
      because: 'seen',
    });
    expect(route({ takenRevision: 4 })).to.include({ kind: 'start' });
  });

  it('nowhere while a person has taken over', () => {
    expect(route({ silentUntil: NOW + 1 })).to.deep.equal({ kind: 'none', because: 'silenced' });
    expect(route({ silentUntil: NOW })).to.include({ kind: 'start' });
    // Looked at late, it was written to that person all the same.
    const late = route({ silentUntil: NOW }, [anyMessage], {}, NOW - 1);
    expect(late).to.deep.equal({ kind: 'none', because: 'silenced' });
  });

  it('nowhere yet, when the time of the run is up', () => {
    for (const phase of [
      { kind: 'waiting', attempts: 0, until: NOW },
      { kind: 'delaying', until: NOW },
    ] as const) {
      const run = runIn(phase);
      expect(route({ run })).to.deep.equal({ kind: 'first', run, input: { type: 'due' } });
    }
  });

  it('nowhere yet, when a dead process left a message or a call open', () => {
    for (const phase of [{ kind: 'sending', attempts: 0 }, { kind: 'requesting' }] as const) {
      const run = runIn(phase);
      expect(route({ run })).to.deep.equal({ kind: 'first', run, input: { type: 'unknown' } });
    }
  });

  it('nowhere, when a preference comes while a run waits', () => {
    const resume = { kind: 'resume', messageId: null };
    expect(route({ run: waiting }, [anyMessage], resume)).to.deep.equal({
      kind: 'none',
      because: 'busy',
    });
  });
});
