import type { BotRunEndReason, BotStep } from '../../events/conversation.ts';
import { type Budget, createBudget, RunStop } from './budget.ts';
import type { Graph } from './graph.ts';
import type { Inbound } from './inbound.ts';
import { answer, type BotNode, enter, expire, settle } from './nodes.ts';
import {
  type Behaviour,
  DEFAULT,
  type Effect,
  type End,
  type NodeContext,
  type Phase,
  type Result,
  type Run,
  type Taken,
  type Turn,
  variablesProblem,
  withMessage,
} from './run.ts';
import { cut } from './text.ts';

/** Steps of a run for each message of the contact. */
const STEPS_MAX = 100;

/** CPU budget that leaving a node costs at least; its texts come on top. */
const STEP_COST = 2000;
const DETAIL_LENGTH_MAX = 300;
/** A step may exceed the record's limit by so many bytes, so that the record shows the last effect. */
const STEP_BYTES = 2048;

/** What a run can continue with. */
export type Input =
  | { type: 'begin' }
  | { type: 'reply'; inbound: Inbound }
  /** The time of its wait is up. */
  | { type: 'due' }
  | Result;

/** The circumstances of a turn, beside the run itself. */
export interface World {
  graph: Graph;
  /** Milliseconds since 1970. */
  now: number;
  /** Messages that bots have sent to this contact in the minute before. */
  recentMessages: number;
  /** Bytes that the run may still record, and why it ends when these are used up. */
  record: { bytes: number; detail: string };
  /** CPU budget; by default that of one turn. */
  budget?: Budget;
}

/** A new run; `begin` is its first input. */
export const createRun = (
  ids: { runId: string; botId: string },
  contact: Run['contact'],
  { text, flow }: Taken,
): Run => ({
  ...ids,
  contact,
  text,
  ...(flow && { flow }),
  variables: {},
  nodeId: null,
  phase: { kind: 'ready' },
  steps: 0,
  requests: 0,
});

/** Whether the run accepts the input. */
const applies = ({ phase, nodeId }: Run, input: Input, now: number): boolean => {
  switch (input.type) {
    case 'begin':
      return phase.kind === 'ready' && nodeId === null;
    case 'reply':
      return phase.kind === 'waiting' && now < phase.until;
    case 'due':
      return (phase.kind === 'waiting' || phase.kind === 'delaying') && now >= phase.until;
    case 'sent':
    case 'not_sent':
      return phase.kind === 'sending';
    case 'response':
    case 'no_response':
      return phase.kind === 'requesting';
    case 'unknown':
      return phase.kind === 'sending' || phase.kind === 'requesting';
  }
};

const cutDetail = (detail: string | null | undefined): string | null =>
  detail === null || detail === undefined ? null : cut(detail, DETAIL_LENGTH_MAX);

const endOf = (reason: BotRunEndReason, detail: string | null): End => {
  return { kind: 'end', reason, detail, silentUntil: null };
};

const ended = (run: Run, steps: readonly BotStep[], nodeId: string | null, end: End): Turn => ({
  run: { ...run, phase: { kind: 'ended' } },
  steps,
  next: { ...end, nodeId, detail: cutDetail(end.detail) },
});

const stepOf = (
  node: BotNode,
  behaviour: Exclude<Behaviour, Effect>,
  nextNodeId: string | null,
): BotStep => {
  const note = behaviour.kind === 'leave' ? behaviour : undefined;
  return {
    nodeId: node.id,
    nodeType: node.type,
    outcome: note?.outcome ?? null,
    nextNodeId,
    messageId: note?.messageId ?? null,
    httpStatus: note?.httpStatus ?? null,
    detail: cutDetail(behaviour.detail),
    variables: note?.variables ?? {},
  };
};

const readNode = (graph: Graph, nodeId: string): BotNode => {
  const node = graph.node(nodeId);
  if (typeof node === 'string') throw new RunStop('failed', node);
  return node;
};

const phaseOf = (effect: Effect): Phase => {
  if (effect.kind === 'request') return { kind: 'requesting' };
  const { attempts } = effect;
  if (effect.kind === 'send') return { kind: 'sending', attempts };
  const { until } = effect;
  return effect.for === 'reply'
    ? { kind: 'waiting', attempts, until }
    : { kind: 'delaying', until };
};

/** A turn that ends with an effect. */
const paused = (run: Run, steps: readonly BotStep[], nodeId: string, effect: Effect): Turn => {
  const requests = run.requests + Number(effect.kind === 'request');
  return {
    run: { ...run, requests, phase: phaseOf(effect) },
    steps,
    next: { ...effect, nodeId },
  };
};

/** The run after the step. */
const afterStep = (run: Run, step: BotStep): Run => ({
  ...run,
  steps: run.steps + 1,
  variables: { ...run.variables, ...step.variables },
  nodeId: step.nextNodeId ?? step.nodeId,
  phase: { kind: 'ready' },
});

/** Continues from the behaviour of the run's node, as far as the run can by itself. */
const proceed = (
  start: Run,
  first: (node: BotNode, context: NodeContext) => Behaviour,
  { graph, now, recentMessages, record, budget = createBudget() }: World,
): Turn => {
  const steps: BotStep[] = [];
  let run = start;
  let behave = first;
  let { bytes: bytesLeft } = record;
  try {
    for (;;) {
      if (behave === enter && bytesLeft <= 0) throw new RunStop('bounds', record.detail);
      budget.spend(STEP_COST + graph.weight(run.nodeId!));
      const node = readNode(graph, run.nodeId!);
      const { requests } = run;
      const behaviour = behave(node, { scope: run, now, recentMessages, requests, budget });
      if (behaviour.kind !== 'leave' && behaviour.kind !== 'end')
        return paused(run, steps, node.id, behaviour);
      const outcome = behaviour.kind === 'leave' ? behaviour.outcome : null;
      const nextNodeId = outcome === null ? null : graph.target(node.id, outcome);
      const step = stepOf(node, behaviour, nextNodeId);
      const bytes = Buffer.byteLength(JSON.stringify(step));
      budget.spend(bytes);
      if (bytes > bytesLeft + STEP_BYTES) throw new RunStop('bounds', record.detail);
      bytesLeft -= bytes;
      const problem = variablesProblem({ ...run.variables, ...step.variables });
      if (problem !== null) throw new RunStop('bounds', problem);
      run = afterStep(run, step);
      steps.push(step);
      if (behaviour.kind === 'end') return ended(run, steps, node.id, behaviour);
      if (nextNodeId === null) return ended(run, steps, node.id, nothingFollows(behaviour.outcome));
      if (run.steps >= STEPS_MAX) return ended(run, steps, node.id, OUT_OF_STEPS);
      behave = enter;
    }
  } catch (error) {
    if (!(error instanceof RunStop)) throw error;
    return ended(run, steps, run.nodeId, endOf(error.reason, error.message));
  }
};

/** The end of a run that left a node by an outcome without an edge. */
const nothingFollows = (outcome: string): End =>
  endOf(
    outcome === 'timeout' ? 'timeout' : 'completed',
    outcome === DEFAULT ? null : `nothing follows ${outcome}`,
  );

const OUT_OF_STEPS = endOf('bounds', `more than ${STEPS_MAX} steps`);

const begin = (run: Run, world: World): Turn => {
  const { isEmpty, entries } = world.graph;
  const [entry, second] = entries;
  if (entry !== undefined && second === undefined) {
    return proceed({ ...run, nodeId: entry }, enter, world);
  }
  const detail = second === undefined ? 'the graph has no start' : 'the graph has several starts';
  const reason = isEmpty ? 'completed' : 'failed';
  return ended(run, [], null, endOf(reason, detail));
};

/**
 * Continues a run as far as it can by itself; the turn says what comes next: a message, a call, a
 * wait or the end. Pure: the same run, input and world give the same turn. Undefined when the run
 * does not accept the input, such as a reply that comes too late.
 */
export const advance = (run: Run, input: Input, world: World): Turn | undefined => {
  const { phase } = run;
  if (!applies(run, input, world.now)) return undefined;
  const attempts = 'attempts' in phase ? phase.attempts : 0;
  switch (input.type) {
    case 'begin':
      return begin(run, world);
    case 'reply': {
      const { inbound } = input;
      const answered = withMessage(run, inbound);
      return proceed(answered, (node, context) => answer(node, inbound, attempts, context), world);
    }
    case 'due':
      return proceed(run, expire, world);
    default:
      return proceed(run, (node, context) => settle(node, input, attempts, context), world);
  }
};
