import { readFileSync } from 'node:fs';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The values of a secret: two, with a comma between them, while it is being changed. */
export const valuesOf = (text: string): string[] => text.split(',').map((value) => value.trim());

/** The one of them that is in use. */
export const presentValue = (text: string): string => valuesOf(text)[0]!;

/** The secrets of these names whose `_FILE` variables name a file. */
export const readSecretFiles = (
  names: readonly string[],
  env: Environment,
  problems: string[],
): Record<string, string> => {
  const read: Record<string, string> = {};
  for (const name of names) {
    const path = env[`${name}_FILE`];
    if (!path) continue;
    if (env[name]) {
      problems.push(`${name}: is given twice, also as ${name}_FILE`);
      continue;
    }
    try {
      read[name] = readFileSync(path, 'utf8').trim();
      if (read[name] === '') problems.push(`${name}_FILE: the file is empty`);
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code ?? 'unknown error';
      problems.push(`${name}_FILE: the file cannot be read (${reason})`);
    }
  }
  return read;
};
