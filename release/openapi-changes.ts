import { type Direction, type Schema, type Sides, schemaChanges } from './schema-changes.ts';

type Content = Record<string, { schema?: Schema }>;

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Answer {
  $ref?: string;
  content?: Content;
  headers?: Record<string, unknown>;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Content };
  responses?: Record<string, Answer>;
  security?: Record<string, string[]>[];
}

type Paths = Record<string, Record<string, Operation>>;

/** An OpenAPI document, as far as callers depend on it. */
export interface OpenApi {
  info: { version: string };
  paths: Paths;
  webhooks?: Paths;
  components?: unknown;
}

/** Finds what a reference such as `#/components/schemas/Message` names. */
const resolverOf =
  (document: OpenApi) =>
  <Part>(reference: string): Part =>
    reference
      .slice('#/'.length)
      .split('/')
      .reduce<unknown>(
        (part, name) => (part as Record<string, unknown>)[name.replaceAll('~1', '/')],
        document,
      ) as Part;

/** Compares two documents, operation by operation. */
const createComparison = (before: OpenApi, after: OpenApi) => {
  const sides: Sides = { before: resolverOf(before), after: resolverOf(after) };
  const resolved = (answer: Answer, side: keyof Sides): Answer =>
    answer.$ref === undefined ? answer : (sides[side](answer.$ref) as Answer);

  const contents = (direction: Direction, old: Content, now: Content, at: string): string[] =>
    Object.entries(old).flatMap(([type, { schema = {} }]) => {
      const other = now[type];
      if (!other) return [`${at} is no longer ${type}`];
      return schemaChanges(direction, schema, other.schema ?? {}, at, sides);
    });

  const parameters = (old: Operation, now: Operation, at: string): string[] => {
    const idOf = (one: Parameter) => `${one.in} ${one.name}`;
    const [olds, nows] = [old, now].map(
      (side) => new Map(side.parameters?.map((one) => [idOf(one), one])),
    ) as [Map<string, Parameter>, Map<string, Parameter>];
    const kept = [...olds].flatMap(([id, was]) => {
      const is = nows.get(id);
      if (!is) return [`${at} no longer reads ${id}`];
      return schemaChanges('request', was.schema, is.schema, `${at} ${id}`, sides);
    });
    const demanded = [...nows]
      .filter(([id, { required }]) => required && !olds.get(id)?.required)
      .map(([id]) => `${at} requires ${id} now`);
    return [...kept, ...demanded];
  };

  const bodies = (direction: Direction, old: Operation, now: Operation, at: string): string[] => {
    const [was, is] = [old.requestBody, now.requestBody];
    const demanded = is?.required && !was?.required ? [`${at} requires a body now`] : [];
    return [
      ...(direction === 'request' ? demanded : []),
      ...contents(direction, was?.content ?? {}, is?.content ?? {}, `${at} body`),
    ];
  };

  const answers = (old: Operation, now: Operation, at: string): string[] =>
    Object.entries(old.responses ?? {}).flatMap(([status, given]) => {
      const other = now.responses?.[status];
      // A caller does not miss an error.
      if (!other) return status.startsWith('2') ? [`${at} no longer answers ${status}`] : [];
      const [was, is] = [resolved(given, 'before'), resolved(other, 'after')];
      const headers = Object.keys(was.headers ?? {})
        .filter((name) => !(name in (is.headers ?? {})))
        .map((name) => `${at} ${status} no longer has the header ${name}`);
      const shown = contents('answer', was.content ?? {}, is.content ?? {}, `${at} ${status}`);
      return [...headers, ...shown];
    });

  const scopes = (old: Operation, now: Operation, at: string): string[] => {
    const serves = (was: Record<string, string[]>, is: Record<string, string[]>) =>
      Object.entries(is).every(([scheme, needed]) =>
        needed.every((scope) => was[scheme]?.includes(scope)),
      ) && Object.keys(is).every((scheme) => scheme in was);
    const isOpen = !now.security || now.security.length === 0;
    const isServed = (old.security ?? [{}]).every((was) =>
      now.security?.some((is) => serves(was, is)),
    );
    return isOpen || isServed ? [] : [`${at} asks for another credential or scope`];
  };

  /** The provider of a webhook's body is the service, so its readers are the callers. */
  const operations = (old: Paths, now: Paths, bodyDirection: Direction): string[] =>
    Object.entries(old).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, was]) => {
        const at = `${method.toUpperCase()} ${path}`;
        const is = now[path]?.[method];
        if (!is) return [`${at} is gone`];
        return [
          ...scopes(was, is, at),
          ...parameters(was, is, at),
          ...bodies(bodyDirection, was, is, at),
          ...answers(was, is, at),
        ];
      }),
    );

  return { operations };
};

/** What of the newer document breaks a program that was written for the older one. */
export const breakingChanges = (before: OpenApi, after: OpenApi): string[] => {
  const { operations } = createComparison(before, after);
  return [
    ...operations(before.paths, after.paths, 'request'),
    ...operations(before.webhooks ?? {}, after.webhooks ?? {}, 'answer'),
  ];
};

const majorOf = ({ info }: OpenApi): number => Number.parseInt(info.version, 10);

/** Whether the newer document may break programs: its major version is higher. */
export const mayBreak = (before: OpenApi, after: OpenApi): boolean =>
  majorOf(after) > majorOf(before);
