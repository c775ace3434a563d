import { RE2JS } from 're2js';
import { type Budget, RunStop } from './budget.ts';
import { VALUE_LENGTH_MAX } from './node-fields.ts';
import { lookUp, render, type Scope } from './template.ts';
import { cut, fold, scalarText, toNumber } from './text.ts';

// Patterns and texts come from outside. RE2 matches in time linear in the text; bounds on the size
// of the compiled pattern and of the text keep the constant small.

const PATTERN_LENGTH_MAX = 256;
const PROGRAM_SIZE_MAX = 1000;
/** Only this much of a text is searched. */
const MATCHED_LENGTH_MAX = 1024;
/** A Unicode class costs the compiler about as much as so many letters. */
const UNICODE_CLASS_COST = 20;
/** Compiling costs about as much as matching so many characters. */
const COMPILE_COST = 256;

const REPEAT = /^\{(\d{1,4})(?:,(\d{0,4}))?\}/;
const CLASS = /^\[\^?\]?(?:\\.|\[:\^?[a-z]+:\]|[^\]\\])*\]/s;
const ESCAPE = /^\\(?:[pP]\{[^}]*\}|[pP].|x\{[^}]*\}|.)/s;

const emptyGroup = () => ({ total: 0, last: 0 });
const unicodeClassesIn = (atom: string) => atom.split(/\\[pP]/).length - 1;

/**
 * The approximate size of a pattern with its counted repeats unrolled: `(a{10}){10}` has 100. Reads
 * only the text of the pattern, so that no expensive pattern is compiled to find out.
 */
export const unrolledSize = (pattern: string): number => {
  let groups = [emptyGroup()];
  let rest = pattern;
  const add = (size: number) => {
    const group = groups.at(-1)!;
    group.total += size;
    group.last = size;
  };
  while (rest !== '') {
    const group = groups.at(-1)!;
    const repeat = REPEAT.exec(rest);
    const atom = (ESCAPE.exec(rest) ?? CLASS.exec(rest))?.[0] ?? rest.charAt(0);
    if (repeat) {
      const times = Math.max(1, Number(repeat[1]), Number(repeat[2] ?? repeat[1]));
      group.total += group.last * (times - 1);
      group.last *= times;
    } else if (atom === '(') {
      groups.push({ total: 1, last: 0 });
    } else if (atom === ')') {
      // An extra `)` may be a quoted one: the part before it then counts as its group.
      groups = groups.length > 1 ? groups.slice(0, -1) : [emptyGroup()];
      add(group.total);
    } else if (!'*+?'.includes(atom)) {
      add(1 + UNICODE_CLASS_COST * unicodeClassesIn(atom));
    } else {
      group.total += 1;
    }
    rest = rest.slice(repeat ? repeat[0].length : atom.length);
  }
  return groups.reduce((sum, { total }) => sum + total, 0);
};

type Compiled = { matcher: RE2JS; problem?: never } | { problem: string };

/** `flags` are those of RE2JS; the size of the compiled pattern is the same with any of them. */
const compile = (pattern: string, flags = 0): Compiled => {
  if (pattern === '') return { problem: 'the pattern is empty' };
  if (pattern.length > PATTERN_LENGTH_MAX) {
    return { problem: `the pattern is longer than ${PATTERN_LENGTH_MAX} characters` };
  }
  const tooComplex = { problem: 'the pattern is too complex' };
  if (unrolledSize(pattern) > PROGRAM_SIZE_MAX) return tooComplex;
  try {
    const matcher = RE2JS.compile(pattern, flags);
    return matcher.programSize() > PROGRAM_SIZE_MAX ? tooComplex : { matcher };
  } catch (error) {
    return { problem: `the pattern cannot be read: ${cut((error as Error).message, 200)}` };
  }
};

/** Why a pattern cannot be used; null when it can. */
export const patternProblem = (pattern: string): string | null => compile(pattern).problem ?? null;

const prepare = (pattern: string, text: string, budget: Budget, flags?: number): RE2JS => {
  const compiled = compile(pattern, flags);
  if (compiled.problem !== undefined) throw new RunStop('failed', compiled.problem);
  budget.spend(compiled.matcher.programSize() * (text.length + COMPILE_COST));
  return compiled.matcher;
};

/** Whether the pattern is found anywhere in the text; case is ignored unless it says `(?-i)`. Throws RunStop. */
export const finds = (pattern: string, text: string, budget: Budget): boolean => {
  const looked = cut(text, MATCHED_LENGTH_MAX);
  return prepare(pattern, looked, budget, RE2JS.CASE_INSENSITIVE).test(looked);
};

/** Whether the pattern matches the text from end to end. Throws RunStop. */
export const fits = (pattern: string, text: string, budget: Budget): boolean =>
  text.length <= MATCHED_LENGTH_MAX && prepare(pattern, text, budget).testExact(text);

export const operators = [
  'equals',
  'not_equals',
  'contains',
  'starts_with',
  'ends_with',
  'greater_than',
  'less_than',
  'is_empty',
  'is_not_empty',
  'matches',
] as const;
/** A comparison of a variable with a value. */
export interface Rule {
  variable: string;
  op: (typeof operators)[number];
  value?: string | undefined;
}

/** CPU units for folding one character, at most. */
const FOLD_COST = 4;

const textAt = (scope: Scope, path: string) =>
  scalarText(lookUp(scope, path)).slice(0, VALUE_LENGTH_MAX);

/** An object or a list has no text, but it may have entries. */
const isEmpty = (scope: Scope, path: string): boolean => {
  const value = lookUp(scope, path);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return scalarText(value).trim() === '';
};

const compareNumbers = (
  text: string,
  value: string,
  test: (left: number, right: number) => boolean,
): boolean => {
  const [left, right] = [toNumber(text), toNumber(value)];
  return left !== null && right !== null && test(left, right);
};

const holds = (rule: Rule, scope: Scope, budget: Budget): boolean => {
  const { variable, op } = rule;
  const raw = textAt(scope, variable);
  // A pattern is not rendered: the customer's text must not become a part of it.
  if (op === 'matches') return finds(rule.value ?? '', raw.normalize('NFKC').trim(), budget);
  const rendered = render(rule.value ?? '', scope, VALUE_LENGTH_MAX);
  budget.spend(FOLD_COST * (raw.length + rendered.length));
  const [text, value] = [fold(raw), fold(rendered)];
  switch (op) {
    case 'equals':
      return text === value;
    case 'not_equals':
      return text !== value;
    case 'contains':
      return text.includes(value);
    case 'starts_with':
      return text.startsWith(value);
    case 'ends_with':
      return text.endsWith(value);
    case 'greater_than':
      return compareNumbers(raw, rendered, (left, right) => left > right);
    case 'less_than':
      return compareNumbers(raw, rendered, (left, right) => left < right);
    case 'is_empty':
      return isEmpty(scope, variable);
    case 'is_not_empty':
      return !isEmpty(scope, variable);
  }
};

export const conditionOutcome = (
  { match, rules }: { match: 'all' | 'any'; rules: readonly Rule[] },
  scope: Scope,
  budget: Budget,
): 'true' | 'false' => {
  const test = (rule: Rule) => holds(rule, scope, budget);
  return (match === 'all' ? rules.every(test) : rules.some(test)) ? 'true' : 'false';
};

/** The first case whose value the variable has; undefined when it has none of them. */
export const matchingCase = (
  { variable, cases }: { variable: string; cases: readonly { id: string; value: string }[] },
  scope: Scope,
  budget: Budget,
): string | undefined => {
  const text = fold(textAt(scope, variable));
  return cases.find(({ value }) => {
    const rendered = render(value, scope, VALUE_LENGTH_MAX);
    budget.spend(FOLD_COST * rendered.length);
    return fold(rendered) === text;
  })?.id;
};
