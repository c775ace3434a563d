import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript-ast';

// Marks the beginning of every function of `src`, so that the calls of one piece of work can be
// listed in their order. Loaded by `--import`, before any file of `src`. Only this thread is watched,
// and the simulated provider is left out.

/** A function of the program: the file below `src`, and its name or the line where it begins. */
export interface Place {
  file: string;
  name: string;
}

const root = join(import.meta.dirname, '../..');
const places: Place[] = [];
let calls: number[] = [];

/** The global name that the marks call. */
const MARK = '__waybillPath';

const nameOf = (node: ts.FunctionLikeDeclaration, source: ts.SourceFile): string => {
  const named = node.name ?? (node.parent as { name?: ts.Node }).name;
  if (named && (ts.isIdentifier(named) || ts.isStringLiteral(named))) return named.text;
  return `line ${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
};

/** The text with a mark at the beginning of each function. */
const marked = (file: string, text: string): string => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const inserts: { at: number; text: string }[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const { body } = node as { body: ts.Node };
      const call = `${MARK}(${places.length})`;
      places.push({ file, name: nameOf(node as ts.FunctionLikeDeclaration, source) });
      if (ts.isBlock(body)) inserts.push({ at: body.getStart() + 1, text: `${call};` });
      else {
        inserts.push({ at: body.getStart(), text: `(${call},` }, { at: body.getEnd(), text: ')' });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  // An inner function that ends where its outer one ends closes first: the sort keeps their order.
  let out = '';
  let from = 0;
  for (const { at, text: mark } of inserts.toSorted((a, b) => a.at - b.at)) {
    out += text.slice(from, at) + mark;
    from = at;
  }
  return out + text.slice(from);
};

Object.assign(globalThis, { [MARK]: (place: number) => void calls.push(place) });
registerHooks({
  load(url, context, next) {
    const file = url.startsWith('file:') ? relative(root, fileURLToPath(url)) : '';
    const isWatched =
      file.startsWith('src/') && file.endsWith('.ts') && !file.includes('/simulator/');
    if (!isWatched) return next(url, context);
    const source = marked(file.slice('src/'.length), readFileSync(join(root, file), 'utf8'));
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});

/** Forgets the calls so far. */
export const forgetCalls = (): void => {
  calls = [];
};

/** The number of calls so far. */
export const countCalls = (): number => calls.length;

/** The calls so far, in their order. */
export const listCalls = (): Place[] => calls.map((place) => places[place]!);
