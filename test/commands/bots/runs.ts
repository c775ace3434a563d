import type { Conversation } from '../../../src/commands/bots/conversation-log.ts';
import { compileGraph, type StoredGraph } from '../../../src/commands/bots/graph.ts';
import type { Inbound } from '../../../src/commands/bots/inbound.ts';
import {
  advance,
  createRun,
  type Input,
  type World,
} from '../../../src/commands/bots/interpreter.ts';
import type { Candidate } from '../../../src/commands/bots/matching.ts';
import type { Phase, Run, Turn } from '../../../src/commands/bots/run.ts';
import { noBots, worldOf } from '../../../src/commands/bots/state.ts';
import { NOW } from '../../support/samples.ts';
import { contact } from './graphs.ts';

export const inbound = (text: string, change: Partial<Inbound> = {}): Inbound => ({
  messageId: 'wamid.1',
  revision: 0,
  kind: 'message',
  text,
  choice: null,
  ...change,
});

/** A bot that answers what contains `order`. */
export const bot = (botId: string, change: Partial<Candidate> = {}): Candidate => ({
  botId,
  phoneNumberId: null,
  trigger: 'KEYWORD',
  triggerKeywords: ['order'],
  triggerMatchType: 'CONTAINS',
  isActive: true,
  createdAt: '2026-11-01T00:00:00.000Z',
  ...change,
});
/** A bot that answers everything. */
export const any = (botId: string, change: Partial<Candidate> = {}): Candidate =>
  bot(botId, { trigger: 'ANY_MESSAGE', triggerKeywords: [], ...change });

export const thread = { accountId: 'acc_1', phoneNumberId: '10', contactRef: 'ref_1' };
/** Whose a run is. */
export const owner = { ...thread, botRevision: 3, link: 1 };
export const conversation: Conversation = {
  ...thread,
  conversationId: 'acc_1.10.ref_1',
  contact,
  context: { requestId: 'r', cause: 'c' },
};

const begun = createRun({ runId: 'run_1', botId: 'bot_1' }, contact, inbound('hello'));
/** That run in another phase. */
export const runIn = (phase: Phase): Run => ({ ...begun, nodeId: 'q', phase });

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
