import { expect } from 'chai';
import { endFact } from '../../../src/commands/bots/bot.ts';
import { Continued, conversationDecider } from '../../../src/commands/inbound/conversation.ts';
import {
  BotsResumed,
  BotsSilenced,
  ConversationContinued,
  type ConversationFact,
} from '../../../src/events/conversation.ts';
import { isoTime } from '../../../src/shared/clock.ts';
import { botRunStarted, botRunWaiting, NOW } from '../../support/samples.ts';
import { spec } from '../../support/spec.ts';
import { thread as conversation } from './runs.ts';

const given = spec(conversationDecider);
const until = NOW + 60_000;
const take = { type: 'TakeOver', conversation, until, anyway: false } as const;
const handBack = { type: 'HandBack', conversation, now: NOW, anyway: false } as const;
const byPerson = { ...conversation, runId: null, botId: null };
const silenced = BotsSilenced.of({ ...byPerson, until: isoTime(until) });
const givenSilenced = given(silenced);
const resumed = BotsResumed.of({ ...conversation, at: isoTime(NOW) });
const run = { runId: 'run_1', botId: 'bot_1' };
const [started, waiting] = [botRunStarted(), botRunWaiting({ stepCount: 1 })];
const stateOf = (...facts: ConversationFact[]) =>
  facts.reduce(conversationDecider.evolve, conversationDecider.initial);

describe('a conversation that a person takes from the bots', () => {
  it('is silent from then on, once for one end', () => {
    given().when(take).thenHappened(silenced);
    givenSilenced.when(take).thenNothing();
    const longer = BotsSilenced.of({ ...byPerson, until: isoTime(until + 1) });
    givenSilenced.when({ ...take, until: until + 1 }).thenHappened(longer);
    expect(stateOf(silenced).bots.silentUntil).to.equal(until);
  });

  it('ends the run that waits in it, also where bots were silent already', () => {
    const { run: open } = stateOf(started, waiting).bots;
    const ended = endFact(open!, 'handoff', conversation);
    given(started, waiting).when(take).thenHappened(ended, silenced);
    given(silenced, started, waiting).when(take).thenHappened(ended, silenced);
    expect(stateOf(started, waiting, ended, silenced).bots.run).to.equal(null);
  });

  it('is given back once, also when a bot had handed it over', () => {
    given().when(handBack).thenNothing();
    givenSilenced.when(handBack).thenHappened(resumed);
    given(silenced, resumed).when(handBack).thenNothing();
    const byBot = BotsSilenced.of({ ...conversation, ...run, until: isoTime(until) });
    given(byBot).when(handBack).thenHappened(resumed);
    givenSilenced.when({ ...handBack, now: until }).thenNothing();
    // What was written before is still for the person.
    expect(stateOf(silenced, resumed).bots.silentUntil).to.equal(NOW);
  });

  it('makes a turn that was computed before out of date', () => {
    const basis = stateOf(silenced).botFacts;
    const turn = { type: 'RecordTurn' as const, basis, facts: [started] };
    for (const fact of [silenced, resumed]) given(silenced, fact).when(turn).thenNothing();
  });

  it('leaves it to the conversation that goes on with it', () => {
    const link = { accountId: 'acc_1', conversationId: 'one', in: 'other' };
    const givenContinued = given(ConversationContinued.of(link));
    for (const command of [take, handBack]) givenContinued.when(command).thenThrows(Continued);
    givenContinued.when({ ...take, anyway: true }).thenHappened(silenced);
  });

  it('records what a person does without using up what bots may record', () => {
    expect(stateOf(silenced).bots.recorded.inHour).to.equal(0);
  });
});
