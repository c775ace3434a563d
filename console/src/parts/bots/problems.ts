import type { NodeField } from './node-fields.ts';

/** What the service says is wrong with a node: `data.buttons.0.title: must not be blank`. */
export interface FieldProblem {
  /** Such as `buttons.0.title`; empty for the node as a whole. */
  path: string;
  message: string;
}

export const problemIn = (text: string): FieldProblem => {
  const [, path = '', message = text] = /^data(?:\.([^:]+))?: (.*)$/s.exec(text) ?? [];
  return { path, message };
};

const isWithin = (path: string, place: string): boolean =>
  path === place || path.startsWith(`${place}.`);

/** The problems of a place itself. */
export const problemsAt = (problems: readonly FieldProblem[], place: string): string | undefined =>
  problems.find(({ path }) => path === place)?.message;

/** The problem of a field: of its value, of anything in it, or of what has a value there alone. */
export const problemOf = (
  problems: readonly FieldProblem[],
  { name, kind }: Pick<NodeField, 'name' | 'kind'>,
  place = '',
): FieldProblem | undefined =>
  problems.find(
    ({ path }) =>
      isWithin(path, place + name) ||
      (kind === 'text' && name.includes('.') && path === place + name.replace(/\.[^.]*$/, '')),
  );

/** What no field of these shows. */
export const problemsElsewhere = (
  problems: readonly FieldProblem[],
  fields: readonly NodeField[],
): readonly string[] =>
  problems
    .filter((one) => !fields.some((field) => field.name !== '' && problemOf([one], field)))
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
