import type { Budget } from './budget.ts';
import type { Rule } from './logic-nodes.ts';
import type { DataOf } from './nodes.ts';
import { finds } from './pattern.ts';
import { lookUp, render, type Scope } from './template.ts';
import { fold, scalarText, toNumber } from './text.ts';

const VALUE_LENGTH_MAX = 4096;
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
  { match, rules }: DataOf<'condition'>,
  scope: Scope,
  budget: Budget,
): 'true' | 'false' => {
  const test = (rule: Rule) => holds(rule, scope, budget);
  return (match === 'all' ? rules.every(test) : rules.some(test)) ? 'true' : 'false';
};

/** The first case whose value the variable has; undefined when it has none of them. */
export const matchingCase = (
  { variable, cases }: DataOf<'switch'>,
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
