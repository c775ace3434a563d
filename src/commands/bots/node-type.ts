import type { z } from 'zod';
import type { Inbound } from './inbound.ts';
import type { Behaviour, NodeContext, Result, Variables } from './run.ts';

// What a type of node is: its data, its words, its form in the console, and its behaviour.

/** An outcome, or one for the id of each object of a list, such as `button:<id>`. */
export type Outcome = string | { each: string; as: string };

/** Fields of a form that stand there only where another field has, or has not, one of these values. */
type Condition = Readonly<Record<string, readonly string[]>>;

/** A field of a node's form in the console. What forms do not name stays in the data. */
export type FormField = {
  /** Where the value is in the data, such as `validation.kind`. */
  name: string;
  label: string;
  hint?: string;
  when?: Condition;
  unless?: Condition;
  /** Belongs to this way of the form. */
  onWay?: string;
} & (
  | { kind: 'text' | 'area' | 'path'; placeholder?: string }
  | { kind: 'number'; min: number; max: number; step?: 'any' }
  | { kind: 'check' | 'pairs' | 'event' | 'hours' | 'json' | 'zone' }
  | { kind: 'select'; options: readonly string[]; fallback: string }
  /** Objects, each with fields of its own. A fresh one gets an id of this letter and a number. */
  | {
      kind: 'list';
      of: string;
      max: number;
      idLetter?: string;
      fresh: Variables;
      fields: readonly FormField[];
    }
  /** One of several ways to say it: what the others need goes. */
  | { kind: 'way'; ways: Readonly<Record<string, { words: string; start: Variables }>> }
);

export const TEXT_HINT = 'Placeholders such as {{contact.name}} or {{vars.order}} are filled in.';
export const NAME_HINT = 'A bare name; texts read it as {{vars.name}}.';
export const saveAsField: FormField = {
  kind: 'text',
  name: 'saveAs',
  label: 'Save as',
  hint: NAME_HINT,
};

export interface Choice {
  id: string;
  title: string;
}

export interface NodeType<Schema extends z.ZodType> {
  /** Other fields, which editors keep there, are ignored. */
  data: Schema;
  /** What it does, for the manual. */
  does: string;
  /** Each may have an edge. None where the run ends. */
  outcomes: readonly Outcome[];
  /** Data for the manual, and of a new node in the console. */
  example: z.input<Schema>;
  form: readonly FormField[];
  /** Waits, so that a cycle through it is no endless loop. */
  waits?: true;
  /** Patterns that it would run. */
  patterns?(data: z.output<Schema>): readonly string[];
  /** What the contact can tap. */
  choices?(data: z.output<Schema>): readonly Choice[];
  /** The run enters the node. Throws RunStop. */
  enter(data: z.output<Schema>, context: NodeContext): Behaviour;
  /** The node's message or call has ended. */
  settle?(
    data: z.output<Schema>,
    result: Result,
    attempts: number,
    context: NodeContext,
  ): Behaviour;
  /** The contact answers the waiting node. Throws RunStop. */
  answer?(
    data: z.output<Schema>,
    inbound: Inbound,
    attempts: number,
    context: NodeContext,
  ): Behaviour;
}

export const nodeType = <Schema extends z.ZodType>(row: NodeType<Schema>) => row;
