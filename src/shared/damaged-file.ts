/** Result codes of SQLite for a file that is damaged, or is none of its own. */
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** A file of data cannot be read as what it should be; the message says which, and what to do. */
export class DamagedFile extends Error {
  readonly errcode: number;
  constructor(file: string, remedy: string, cause: Error & { errcode: number }) {
    super(`${file} is damaged (${cause.message}): ${remedy}`, { cause });
    this.name = 'DamagedFile';
    this.errcode = cause.errcode;
  }
}

/** Calls SQLite, and tells of damage by the name of the file and its remedy. */
export type Naming = <T>(work: () => T) => T;

export const namingDamage =
  (file: string, remedy: string): Naming =>
  (work) => {
    try {
      return work();
    } catch (error) {
      const { errcode } = error as { errcode?: unknown };
      // The low byte of an extended code is the plain one.
      const plain = typeof errcode === 'number' ? errcode & 0xff : 0;
      if (error instanceof DamagedFile || (plain !== CORRUPT && plain !== NOT_A_DATABASE)) {
        throw error;
      }
      throw new DamagedFile(file, remedy, error as Error & { errcode: number });
    }
  };
