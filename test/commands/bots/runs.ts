import { compileGraph, type StoredGraph } from '../../../src/commands/bots/graph.ts';
import type { Inbound } from '../../../src/commands/bots/inbound.ts';
import {
  advance,
  createRun,
  type Input,
  type World,
} from '../../../src/commands/bots/interpreter.ts';
import type { Run, Turn } from '../../../src/commands/bots/run.ts';
import { noBots, worldOf } from '../../../src/commands/bots/state.ts';
import { NOW } from '../../support/samples.ts';
import { contact } from './graphs.ts';

export const inbound = (text: string): Inbound => ({
  messageId: 'wamid.1',
  revision: 0,
  kind: 'message',
  text,
  choice: null,
});

type Circumstances = Partial<Pick<World, 'now' | 'recentMessages' | 'record'>>;

/** What a run sees of a contact to whom no bot has written. */
export const worldAt = (stored: StoredGraph, change: Circumstances = {}): World => ({
  ...worldOf(noBots, compileGraph(stored), NOW),
  ...change,
});

/** The turn after the run has begun and been given these inputs. */
export const given = (stored: StoredGraph, ...inputs: readonly Input[]) => {
  const world = worldAt(stored);
  const turnAfter = (run: Run, input: Input, at: Circumstances = {}) =>
    advance(run, input, { ...world, ...at });
  const begun = createRun({ runId: 'run_1', botId: 'bot_1' }, contact, inbound('hello'));
  let turn = turnAfter(begun, { type: 'begin' });
  for (const input of inputs) {
    if (!turn) throw new Error(`nothing takes ${input.type}`);
    turn = turnAfter(turn.run, input);
  }
  const before = turn as Turn;
  return {
    turn: before,
    when: (input: Input, at?: Circumstances) => turnAfter(before.run, input, at),
  };
};

export const sent: Input = { type: 'sent', messageId: 'wamid.out' };
