import { readFileSync } from 'node:fs';

/** For each, the same name with `_FILE` may name a file that holds the value. */
const SECRETS = [
  'WAYBILL_SECRET',
  'WAYBILL_ADMIN_TOKEN',
  'WAYBILL_APP_SECRET',
  'WAYBILL_VERIFY_TOKEN',
  'EVENTSTORE_URL',
  'MONGODB_URL',
  'WAYBILL_SEAL_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

export type Environment = Readonly<Record<string, string | undefined>>;

/** The secrets that `_FILE` variables name files for. */
export const readSecretFiles = (env: Environment, problems: string[]): Record<string, string> => {
  const read: Record<string, string> = {};
  for (const name of SECRETS) {
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
