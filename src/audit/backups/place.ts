/** Where backups are kept: a directory, or a bucket. Names have slashes. */
export interface Place {
  /** The names of all files, in any order. */
  list(): Promise<string[]>;
  /** Puts a file there, whole or not at all. */
  put(name: string, file: string): Promise<void>;
  get(name: string, file: string): Promise<void>;
  /** The text of a small file. */
  read(name: string): Promise<string>;
  remove(name: string): Promise<void>;
  close(): Promise<void>;
}
