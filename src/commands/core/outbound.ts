import type { Readable } from 'node:stream';

/** A call to a URL that a tenant chose. */
export interface OutboundRequest {
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  body: string | null;
  /** For all of it: look-up, connection, answer. */
  timeoutMs: number;
  /** Bytes of the answer that are read at most; 0 to ignore the body. */
  bytesMax: number;
  /** The answer counts once its head is there: what of the body comes in this time is read. */
  bodyMs?: number;
}

/** The outcome of a call. Redirects are answers like others: none is followed. */
export type OutboundOutcome =
  /** `body` is cut where there is more than was to be read. */
  | {
      kind: 'answered';
      status: number;
      body: string;
      /** A header a line, up to `bytesMax` characters. */
      head?: string;
      /** How long the answer asks to wait, as it came: seconds, or a date. */
      retryAfter?: string;
      latencyMs: number;
    }
  | { kind: 'failed'; reason: string; latencyMs: number };

/** Calls to public addresses; private ones are refused. Never throws. */
export interface Outbound {
  /** Why this URL cannot be called, in words for its owner; null when it can, as far as is known. */
  problemOf(url: string): Promise<string | null>;
  request(request: OutboundRequest): Promise<OutboundOutcome>;
}

/** A file that is read as a stream. Never throws; the stream ends with an error beyond `bytesMax`. */
export type Download = (call: {
  url: string;
  headers: Readonly<Record<string, string>>;
  bytesMax: number;
  /** Ends the call, also while the stream is read. */
  signal: AbortSignal;
}) => Promise<
  { kind: 'opened'; content: Readable; bytes: number | null } | { kind: 'failed'; reason: string }
>;
