import type { Content } from '../../events/content.ts';
import type { BotRunFact, BotStep } from '../../events/conversation.ts';
import { isoTime } from '../../shared/clock.ts';
import type { HeavyWork } from '../../shared/heavy-work.ts';
import { startFact, turnFacts } from './bot.ts';
import { type Budget, createBudget, TURN_BUDGET_MAX } from './budget.ts';
import { compileGraph, type Graph } from './graph.ts';
import type { Inbound } from './inbound.ts';
import { advance, createRun, type Input } from './interpreter.ts';
import { choicesOf } from './nodes.ts';
import type { Next, Run, Turn } from './run.ts';
import type {
  SimulatedMessage,
  SimulatedResponses,
  Simulation,
  SimulationRequest,
  TranscriptEntry,
} from './simulation.ts';
import { type BotsState, evolveBots, noBots, worldOf } from './state.ts';
import { renderVisible } from './template.ts';

const SIMULATED = 'simulated';
const RUN = { runId: SIMULATED, botId: SIMULATED };
const PLACE = { accountId: SIMULATED, phoneNumberId: SIMULATED, contactRef: SIMULATED };
const OWNER = { ...PLACE, botRevision: 0, link: null };
const TITLE_LENGTH_MAX = 24;
/** For all turns of a simulation together. */
const BUDGET_MAX = 5 * TURN_BUDGET_MAX;

const messageTypeOf = (content: Content): string => {
  if (content.type === 'media') return content.mediaType;
  return content.type === 'notification' ? 'template' : content.type;
};

/** The title of the tapped button or row; its id where the run offers none with that id. */
const titleOf = (graph: Graph, run: Run | null, choice: string): string => {
  const node = run?.nodeId ? graph.node(run.nodeId) : undefined;
  if (!run || node === undefined || typeof node === 'string') return choice;
  const found = choicesOf(node).find(({ id }) => id === choice);
  return found ? renderVisible(found.title, run, TITLE_LENGTH_MAX) : choice;
};

const answerOf = (
  next: Extract<Next, { kind: 'request' }>,
  responses: SimulatedResponses,
): Input => {
  const given = Object.hasOwn(responses, next.nodeId) ? responses[next.nodeId] : undefined;
  if (!given) return { type: 'no_response', detail: 'no answer is given in this simulation' };
  const body = typeof given.body === 'string' ? given.body : JSON.stringify(given.body ?? '');
  return { type: 'response', status: given.status, body };
};

/** The completed nodes, and the current node or the node at which the run failed. */
const pathOf = (steps: readonly BotStep[], last: Turn | undefined): string[] => {
  const path = steps.map(({ nodeId }) => nodeId);
  const current = last?.next.nodeId ?? null;
  const step = steps.at(-1);
  const isLeft = step !== undefined && step.nextNodeId !== current;
  return current === null || (last?.next.kind === 'end' && isLeft) ? path : [...path, current];
};

/** A simulation under way. */
interface Playback {
  readonly request: SimulationRequest;
  readonly graph: Graph;
  readonly budget: Budget;
  readonly transcript: TranscriptEntry[];
  readonly steps: BotStep[];
  now: number;
  state: BotsState;
  turn: Turn | undefined;
  /** Messages of the customer so far. */
  received: number;
}

const keep = (playback: Playback, facts: readonly BotRunFact[]) => {
  playback.state = facts.reduce(evolveBots, playback.state);
};

/** Whether the run accepts the input. */
const give = (playback: Playback, run: Run, input: Input): boolean => {
  const { graph, now, state } = playback;
  const budget = createBudget(TURN_BUDGET_MAX, playback.budget);
  const turn = advance(run, input, { ...worldOf(state, graph, now), budget });
  if (!turn) return false;
  keep(playback, turnFacts(input, turn, { ...PLACE, now }));
  playback.steps.push(...turn.steps);
  playback.turn = turn;
  return true;
};

/** The simulated result of a message or a call; undefined for a wait or the end. */
const act = ({ request, transcript, now }: Playback, next: Next): Input | undefined => {
  if (next.kind === 'request') return answerOf(next, request.httpResponses);
  if (next.kind !== 'send') return undefined;
  const { content, text } = next.message;
  const said = { type: messageTypeOf(content), text, content };
  transcript.push({ direction: 'outbound', ...said, nodeId: next.nodeId, at: isoTime(now) });
  return { type: 'sent', messageId: `${SIMULATED}-${transcript.length}` };
};

/** Pauses before each turn of the run. */
type Playing = Generator<void, void, void>;

/** Continues until the run waits or ends. */
function* perform(playback: Playback): Playing {
  for (;;) {
    const { turn, state } = playback;
    const input = turn && act(playback, turn.next);
    if (!input || !state.run) return;
    yield;
    if (!give(playback, state.run, input)) return;
  }
}

const begin = (playback: Playback, inbound: Inbound) => {
  const run = createRun(RUN, playback.request.contact, inbound);
  keep(playback, [startFact(run, inbound, OWNER, playback.now)]);
  give(playback, run, { type: 'begin' });
};

type Said = Exclude<SimulatedMessage, { wait: number }>;

const inboundOf = ({ graph, state, received }: Playback, said: Said): Inbound => {
  const base = { messageId: `${SIMULATED}-in-${received}`, revision: received };
  if ('text' in said) return { ...base, kind: 'message', text: said.text, choice: null };
  const kind = 'buttonId' in said ? 'button' : 'list';
  const choice = 'buttonId' in said ? said.buttonId : said.rowId;
  return { ...base, kind, text: titleOf(graph, state.run, choice), choice };
};

/** The first message starts the bot; later ones answer a run that waits for a reply. */
function* receive(playback: Playback, said: Said): Playing {
  const { state, transcript, turn, now } = playback;
  const inbound = inboundOf(playback, said);
  playback.received += 1;
  const waiting = state.run?.phase.kind === 'waiting' ? state.run : undefined;
  const nodeId = waiting?.nodeId ?? null;
  const type = inbound.kind === 'message' ? 'text' : 'interactive';
  const { text } = inbound;
  transcript.push({ direction: 'inbound', type, nodeId, at: isoTime(now), ...said, text });
  if (!waiting && turn) return;
  yield;
  if (waiting) give(playback, waiting, { type: 'reply', inbound });
  else begin(playback, inbound);
  yield* perform(playback);
}

/** Lets time pass, and wakes the run when its time is up. */
function* wait(playback: Playback, seconds: number): Playing {
  const end = playback.now + Math.round(seconds * 1000);
  for (;;) {
    const { run } = playback.state;
    if (!run || !('until' in run.phase) || run.phase.until > end) break;
    playback.now = run.phase.until;
    yield;
    if (!give(playback, run, { type: 'due' })) break;
    yield* perform(playback);
  }
  playback.now = end;
}

const reasonOf = (next: Next | undefined): Simulation['reason'] => {
  if (next?.kind === 'end') return next.reason;
  return next?.kind === 'wait' ? next.for : null;
};

/**
 * Runs a bot like a live one, without sending, calling or charging: the same interpreter, the same
 * facts and bounds, and a clock that moves only where the customer waits. Pauses before each turn.
 */
export function* simulate(request: SimulationRequest): Generator<void, Simulation, void> {
  const playback: Playback = {
    request,
    graph: compileGraph(request.graph),
    budget: createBudget(BUDGET_MAX),
    transcript: [],
    steps: [],
    now: request.now,
    state: noBots,
    turn: undefined,
    received: 0,
  };
  for (const message of request.messages) {
    if ('wait' in message) yield* wait(playback, message.wait);
    else yield* receive(playback, message);
  }
  const { transcript, steps, turn } = playback;
  return {
    transcript,
    path: pathOf(steps, turn),
    steps,
    variables: turn?.run.variables ?? {},
    ended: turn?.next.kind === 'end',
    reason: reasonOf(turn?.next),
    detail: turn?.next.kind === 'end' ? turn.next.detail : null,
  };
}

/** Runs a simulation turn by turn, next to the other work of this thread. */
export const simulateInTurns = async (
  inTurn: HeavyWork,
  accountId: string,
  request: SimulationRequest,
): Promise<Simulation> => {
  const playing = simulate(request);
  for (;;) {
    const { done, value } = await inTurn(accountId, () => playing.next());
    if (done) return value;
  }
};
