import type { Command } from 'commander';
import type { Act } from './context.ts';
import type { Io } from './io.ts';
import type { Access } from './settings.ts';

/** Headings of `waybill --help`, in their order there. */
export const groups = ['Customers', 'Messages', 'Money', 'Operation', 'Setup'] as const;

/** Adds one verb to its noun. */
export type Verb = (noun: Command, act: Act, io: Io) => void;

/** The first word after `waybill`, with its verbs. */
export interface Noun {
  readonly name: string;
  /** An earlier name that still works. */
  readonly alias?: string;
  readonly group: (typeof groups)[number];
  /** One line of `waybill --help`. */
  readonly summary: string;
  /** The API of its verbs; administration when absent. */
  readonly access?: Access;
  readonly verbs: readonly Verb[];
  /** Command lines without `waybill` before them. */
  readonly examples: readonly string[];
}
