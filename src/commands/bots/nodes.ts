import { z } from 'zod';
import {
  BusinessHoursData,
  ConditionData,
  DelayData,
  HandoffData,
  HttpRequestData,
  SetVariableData,
  SwitchData,
} from './logic-nodes.ts';
import {
  ButtonsData,
  ListData,
  LocationData,
  MediaData,
  MessageData,
  QuestionData,
  TemplateData,
} from './message-nodes.ts';

/** The data of each type of node. Other fields, which editors keep there, are ignored. */
const schemas = {
  start: z.object({}),
  message: MessageData,
  media: MediaData,
  location: LocationData,
  template: TemplateData,
  buttons: ButtonsData,
  list: ListData,
  question: QuestionData,
  condition: ConditionData,
  switch: SwitchData,
  set_variable: SetVariableData,
  delay: DelayData,
  business_hours: BusinessHoursData,
  http_request: HttpRequestData,
  handoff: HandoffData,
  end: z.object({}),
} as const;

export type NodeType = keyof typeof schemas;
export type DataOf<T extends NodeType> = z.output<(typeof schemas)[T]>;

/** A parsed node, with its defaults. */
export type BotNode = { [T in NodeType]: { id: string; type: T; data: DataOf<T> } }[NodeType];
export type NodeOf<T extends NodeType> = Extract<BotNode, { type: T }>;

/** The outcome whose edge replaces the missing edge of any other outcome. */
export const DEFAULT = 'default';

/** Nodes that wait, so that a cycle through them is no endless loop. */
export const waitingTypes: readonly string[] = ['buttons', 'list', 'question', 'delay'];

const PROBLEMS_MAX = 10;
export const ID_LENGTH_MAX = 200;

type ParsedNode = { node: BotNode; problems?: never } | { problems: readonly string[] };

const describe = ({ path, message }: { path: readonly PropertyKey[]; message: string }) =>
  `${['data', ...path.map(String)].join('.')}: ${message}`;

/** Parses a stored node. */
export const parseNode = (raw: Readonly<Record<string, unknown>>): ParsedNode => {
  const { id, type } = raw;
  if (typeof id !== 'string' || id === '') return { problems: ['the node has no id'] };
  if (id.length > ID_LENGTH_MAX) {
    return { problems: [`the node's id is longer than ${ID_LENGTH_MAX} characters`] };
  }
  if (typeof type !== 'string' || !Object.hasOwn(schemas, type)) {
    const name = typeof type === 'string' ? ` ${JSON.stringify(type.slice(0, 50))}` : '';
    return { problems: [`the node's type${name} is not known`] };
  }
  const parsed = schemas[type as NodeType].safeParse(raw.data ?? {});
  if (!parsed.success) {
    return { problems: parsed.error.issues.slice(0, PROBLEMS_MAX).map(describe) };
  }
  return { node: { id, type, data: parsed.data } as BotNode };
};

/** The outcomes of a node, each of which may have an edge; none where the run ends. */
export const outcomesOf = (node: BotNode): readonly string[] => {
  switch (node.type) {
    case 'template':
      return [DEFAULT, 'failed'];
    case 'buttons':
      return [...node.data.buttons.map(({ id }) => `button:${id}`), 'other', 'timeout'];
    case 'list': {
      const rows = node.data.sections.flatMap((section) => section.rows);
      return [...rows.map(({ id }) => `row:${id}`), 'other', 'timeout'];
    }
    case 'question':
      return [DEFAULT, 'invalid', 'timeout'];
    case 'condition':
      return ['true', 'false'];
    case 'switch':
      return [...node.data.cases.map(({ id }) => `case:${id}`), DEFAULT];
    case 'business_hours':
      return ['open', 'closed'];
    case 'http_request':
      return ['success', 'error'];
    case 'handoff':
    case 'end':
      return [];
    default:
      return [DEFAULT];
  }
};

/** Patterns that a node would run. */
export const patternsOf = (node: BotNode): readonly string[] => {
  if (node.type === 'question') {
    const { kind, pattern } = node.data.validation;
    return kind === 'regex' ? [pattern ?? ''] : [];
  }
  if (node.type !== 'condition') return [];
  return node.data.rules.flatMap(({ op, value }) => (op === 'matches' ? [value ?? ''] : []));
};
