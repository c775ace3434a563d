import { isDamage } from './sqlite.ts';

/** A data file is unreadable; the message names the file and the remedy. */
export class DamagedFile extends Error {
  readonly remedy: string;
  readonly errcode: number | undefined;
  constructor(message: string, remedy: string, cause?: Error & { errcode: number }) {
    super(message, { cause });
    this.name = 'DamagedFile';
    this.remedy = remedy;
    this.errcode = cause?.errcode;
  }
}

/** Calls SQLite, and turns damage into a DamagedFile with the file's name and the remedy. */
export type Naming = <T>(work: () => T) => T;

export const namingDamage =
  (file: string, remedy: string): Naming =>
  (work) => {
    try {
      return work();
    } catch (error) {
      if (error instanceof DamagedFile || !isDamage(error)) throw error;
      const cause = error as Error & { errcode: number };
      const message = `${file} is damaged (${cause.message}): ${remedy}`;
      throw new DamagedFile(message, remedy, cause);
    }
  };
