import type { DatabaseSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { type Form, parseForm } from '../packing.ts';

// Texts that many rows share: forms of documents, and values such as an account's id. A row has the
// number of the text instead.

export const WORDS_TABLE = `
  CREATE TABLE IF NOT EXISTS _words (
    number INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE
  ) STRICT`;

const KEPT_MAX = 10_000;

/** Numbers the words of the writer. */
export const createWordWriter = (database: DatabaseSync) => {
  const known = new LRUCache<string, number>({ max: KEPT_MAX });
  const find = database.prepare('SELECT number FROM _words WHERE word = ?');
  const add = database.prepare('INSERT INTO _words (word) VALUES (?)');
  return {
    numberOf(word: string): number {
      const kept = known.get(word);
      if (kept !== undefined) return kept;
      const number = Number(find.get(word)?.number ?? add.run(word).lastInsertRowid);
      known.set(word, number);
      return number;
    },
    /** Call it after a rollback, which takes new words back. */
    forget: () => known.clear(),
  };
};

export type WordWriter = ReturnType<typeof createWordWriter>;

/** Reads words and forms. They never change. */
export const createWordReader = (one: (text: string, number: number) => unknown) => {
  // A map is read several times faster than an LRU cache, and each row reads several words.
  const words = new Map<number, string>();
  const forms = new Map<number, Form>();

  const wordOf = (number: number): string => {
    const kept = words.get(number);
    if (kept !== undefined) return kept;
    const row = one('SELECT word FROM _words WHERE number = ?', number);
    if (!row) throw new Error(`there is no word ${number}`);
    const { word } = row as { word: string };
    if (words.size >= KEPT_MAX) words.clear();
    words.set(number, word);
    return word;
  };

  return {
    wordOf,
    formOf(number: number): Form {
      const kept = forms.get(number);
      if (kept) return kept;
      const form = parseForm(wordOf(number));
      if (forms.size >= KEPT_MAX) forms.clear();
      forms.set(number, form);
      return form;
    },
  };
};

export type WordReader = ReturnType<typeof createWordReader>;
