import { join } from 'node:path';
import ts from 'typescript-ast';
import { type Mutant, mutantsOf } from './mutant.ts';

/** Codes of things that are there and unused, which do not keep a program from running. */
const UNUSED = new Set([6133, 6138, 6192, 6196, 6198, 7027]);

export interface Compiler {
  mutantsOf(file: string): Mutant[];
  /** Whether the mutant is a program at all: a compiler that refuses it needs no test. */
  compiles(mutant: Mutant): boolean;
}

export const textOf = ({ start, end, text }: Mutant, original: string): string =>
  original.slice(0, start) + text + original.slice(end);

/** Holds the program in memory and looks again only at the file that has changed. */
export const createCompiler = (root: string, files: readonly string[]): Compiler => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
  const mutated = new Map<string, { text: string | undefined; version: number }>();
  const read = (path: string) => mutated.get(path)?.text ?? ts.sys.readFile(path);
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => files.map((file) => join(root, file)),
    getScriptVersion: (path) => String(mutated.get(path)?.version ?? 0),
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
    ...(ts.sys.realpath && { realpath: ts.sys.realpath }),
  });
  const put = (path: string, text: string | undefined) => {
    mutated.set(path, { text, version: (mutated.get(path)?.version ?? 0) + 1 });
  };
  return {
    mutantsOf(file) {
      const program = service.getProgram();
      const source = program?.getSourceFile(join(root, file));
      if (!program || !source) throw new Error(`${file} is not part of the program`);
      return mutantsOf(file, source, program.getTypeChecker());
    },
    compiles(mutant) {
      const path = join(root, mutant.file);
      put(path, textOf(mutant, ts.sys.readFile(path) ?? ''));
      try {
        if (service.getSyntacticDiagnostics(path).length > 0) return false;
        return service.getSemanticDiagnostics(path).every(({ code }) => UNUSED.has(code));
      } finally {
        put(path, undefined);
      }
    },
  };
};
