import type { components, operations } from './generated/reference.ts';

// Shapes of requests and answers, taken from the reference of the service.

export type Operations = operations;
export type Schemas = components['schemas'];

type JsonOf<Response> = Response extends { content: { 'application/json': infer Json } }
  ? Json
  : never;

/** What is done, else what is taken to be done later. */
type SuccessOf<Responses> = [Extract<keyof Responses, 200 | 201>] extends [never]
  ? Extract<keyof Responses, 202>
  : Extract<keyof Responses, 200 | 201>;

/** The body of the successful answer of an operation. */
export type AnswerOf<Id extends keyof operations> = operations[Id] extends {
  responses: infer Responses;
}
  ? JsonOf<Responses[SuccessOf<Responses>]>
  : never;

/** The answer of an operation that has it as JSON, by default, or as text. */
export type FormOf<Id extends keyof operations, Format> = Format extends 'json' | undefined
  ? AnswerOf<Id>
  : string;

/** The JSON body that an operation takes. */
export type BodyOf<Id extends keyof operations> = operations[Id] extends {
  requestBody?: infer Body;
}
  ? JsonOf<NonNullable<Body>>
  : never;

/** The query that an operation takes. */
export type QueryOf<Id extends keyof operations> = operations[Id] extends {
  parameters: { query?: infer Query };
}
  ? NonNullable<Query>
  : never;

/** The rows of an answer that is a page. */
export type RowOf<Page, Field extends keyof Page> = Page[Field] extends readonly (infer Row)[]
  ? Row
  : never;

type BodiesOf<Responses> = {
  [Status in keyof Responses]: JsonOf<Responses[Status]>;
}[keyof Responses];

type AllBodies = {
  [Id in keyof operations]: operations[Id] extends { responses: infer Responses }
    ? BodiesOf<Responses>
    : never;
}[keyof operations];

/** A refusal with a code to branch on. */
export type CodedProblem = Extract<AllBodies, { error: unknown; code: string }>;

/** Codes of refusals, such as `UNKNOWN_EVENT`. */
export type ErrorCode = CodedProblem['code'];

/** The body of a refusal with this code. */
export type ProblemOf<Code extends ErrorCode> = Extract<CodedProblem, { code: Code }>;

/** What happened in half a second: a message of `GET /v1/live`. */
export type LiveEvents = components['schemas']['LiveEvents'];
