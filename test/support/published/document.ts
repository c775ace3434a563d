import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

// Meta's OpenAPI document of the WhatsApp Cloud API. It is not part of this repository.

// biome-ignore lint/suspicious/noExplicitAny: a document is walked as plain JSON.
export type Schema = any;

export interface Published {
  paths: Record<string, Record<string, Schema>>;
  components: { schemas: Record<string, Schema>; parameters: Record<string, Schema> };
}

/** The document in the file that META_OPENAPI names; undefined without the variable. */
export const readPublished = (): Published | undefined => {
  const { META_OPENAPI: file } = process.env;
  return file ? (parse(readFileSync(file, 'utf8')) as Published) : undefined;
};
