/** What a span holds beside its name: no telephone number, name, text or token of a person. */
export type Attributes = Record<string, string | number | string[] | undefined>;

/** A span of a recorded trace, until `end`. */
export interface Span {
  /** Names it as the parent of others, in the form of W3C. */
  readonly traceparent: string;
  rename(name: string): void;
  set(attributes: Attributes): void;
  /** Marks it as failed, with the kind of the error: words of an error may be personal. */
  fail(kind: string): void;
  /** `endMs` is in ms since 1970; now when absent. */
  end(endMs?: number): void;
}

export interface ChildStart {
  name: string;
  kind: 'client' | 'internal';
  /** The traceparent of its parent; without one there is no span. */
  parent: string | undefined;
  attributes?: Attributes;
  /** In ms since 1970; now when absent. */
  startMs?: number;
}

/** Records spans. No call waits for the collector, and none throws. */
export interface Tracing {
  /** Begins the span of a request, under the caller's traceparent; undefined when it is not recorded. */
  request(method: string, callers: string | undefined): Span | undefined;
  /** Begins a span under another one; undefined when it is not recorded. */
  child(start: ChildStart): Span | undefined;
  /** Sends what waits, for a short time only. */
  close(): Promise<void>;
}
