import ts from 'typescript-ast';
import { type Add, changeExpression, changeStatement, isUnheard } from './operators.ts';

/** One change at one point of a file. */
export interface Mutant {
  file: string;
  start: number;
  end: number;
  /** What stands between `start` and `end` in the mutant. */
  text: string;
  line: number;
  /** The lines of the change as they are and as the mutant has them, in one line each. */
  before: string;
  after: string;
}

const isOnlyType = (node: ts.Node) =>
  ts.isTypeNode(node) ||
  ts.isImportDeclaration(node) ||
  ts.isExportDeclaration(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node);

const onOneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** All mutants of a file, in the order of the text; whether they compile is still open. */
export const mutantsOf = (
  file: string,
  source: ts.SourceFile,
  checker: ts.TypeChecker,
): Mutant[] => {
  const { text } = source;
  const found = new Map<string, Mutant>();
  const add: Add = (node, replacement) => {
    const start = node.getStart();
    const { end } = node;
    const from = text.lastIndexOf('\n', start - 1) + 1;
    const to = text.indexOf('\n', end) < 0 ? text.length : text.indexOf('\n', end);
    const before = onOneLine(text.slice(from, to));
    const after = onOneLine(text.slice(from, start) + replacement + text.slice(end, to));
    const line = source.getLineAndCharacterOfPosition(start).line + 1;
    const mutant = { file, start, end, text: replacement, line, before, after };
    if (before !== after) found.set(`${start} ${end} ${replacement}`, mutant);
  };
  const visit = (node: ts.Node) => {
    if (isOnlyType(node) || isUnheard(node)) return;
    changeStatement(node, add);
    changeExpression(node, checker, add);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found.values()].sort((a, b) => a.start - b.start);
};
