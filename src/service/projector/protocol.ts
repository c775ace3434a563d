import type { SharedHead } from '../../events/shared-head.ts';

/** What the thread is started with. */
export interface ProjectorData {
  directory: string;
  head: SharedHead;
}

/** What the main thread may ask of the thread that runs the projections. */
export type Call =
  | { kind: 'start' }
  | { kind: 'stop' }
  | { kind: 'status' }
  | { kind: 'probe' }
  | { kind: 'rebuild'; name: string }
  | { kind: 'reached'; names: readonly string[]; position: string; timeoutMs: number }
  | { kind: 'close' };

export interface Request {
  number: number;
  call: Call;
}

export type FromProjector =
  | { kind: 'ready' }
  | { kind: 'answer'; number: number; value?: unknown }
  | { kind: 'failure'; number: number; message: string; notReached?: readonly string[] }
  /** Which collection serves each projection; said before anybody is told of what is in it. */
  | { kind: 'serving'; live: Readonly<Record<string, string>> }
  | { kind: 'log'; level: 'info' | 'warn' | 'error'; fields: object; text: string };
