import { expect } from 'chai';
import { createCandidates, routeInbound } from '../../../src/commands/bots/bot-runs.ts';
import type { Phase } from '../../../src/commands/bots/run.ts';
import { type BotsState, noBots } from '../../../src/commands/bots/state.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { NOW } from '../../support/samples.ts';
import { any, bot, inbound, runIn } from './runs.ts';

const anyMessage = any('bot_any');
const none = (because: string) => ({ kind: 'none', because });
const route = (state: Partial<BotsState>, bots = [anyMessage], change = {}, writtenAt = NOW) =>
  routeInbound({ ...noBots, ...state }, bots, {
    phoneNumberId: '100000000000001',
    inbound: inbound('hi', { revision: 5, ...change }),
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
    expect(route({}, [])).to.deep.equal(none('no_bot'));
  });

  it('past a run that sleeps, which goes on when no bot answers', () => {
    const started = { kind: 'start', bot: anyMessage, supersedes: sleeping };
    expect(route({ run: sleeping })).to.deep.equal(started);
    expect(route({ run: sleeping }, [])).to.deep.equal(none('no_bot'));
  });

  it('nowhere when it was taken before', () => {
    expect(route({ run: waiting, takenRevision: 5 })).to.deep.equal(none('seen'));
    expect(route({ takenRevision: 4 })).to.include({ kind: 'start' });
  });

  it('nowhere while a person has taken over', () => {
    expect(route({ silentUntil: NOW + 1 })).to.deep.equal(none('silenced'));
    expect(route({ silentUntil: NOW })).to.include({ kind: 'start' });
    // Looked at late, it was written to that person all the same.
    const late = route({ silentUntil: NOW }, [anyMessage], {}, NOW - 1);
    expect(late).to.deep.equal(none('silenced'));
  });

  it('nowhere yet, when the time of the run is up', () => {
    for (const phase of [waiting.phase, sleeping.phase]) {
      const run = runIn({ ...phase, until: NOW } as Phase);
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
    expect(route({ run: waiting }, [anyMessage], resume)).to.deep.equal(none('busy'));
  });
});

describe('the bots that may answer a message', () => {
  const times = [0, 1, 2].map((ms) => isoTime(NOW + ms));

  it('are those that were there when it was written', async () => {
    const bots = times.map((createdAt) => bot(createdAt, { createdAt }));
    const candidates = createCandidates({ bots: async () => bots as never });
    const at = async (time: string) =>
      (await candidates.at('acc_1', time)).map(({ botId }) => botId);
    expect(await at(times[1]!)).to.deep.equal(times.slice(0, 2));
    expect(await at(isoTime(NOW - 1))).to.deep.equal([]);
  });

  it('stay those of a later look where an earlier one fails', async () => {
    const looks: PromiseWithResolvers<never[]>[] = [];
    const candidates = createCandidates({
      bots() {
        looks.push(Promise.withResolvers());
        return looks.at(-1)!.promise;
      },
    });
    const [time] = times;
    const first = candidates.at('acc_1', time!).catch((error: Error) => error.message);
    candidates.invalidate('acc_1');
    const second = candidates.at('acc_1', time!);
    looks[0]!.reject(new Error('away'));
    expect(await first).to.equal('away');
    looks[1]!.resolve([]);
    expect(await second).to.deep.equal([]);
    await candidates.at('acc_1', time!);
    expect(looks).to.have.length(2);
  });
});
