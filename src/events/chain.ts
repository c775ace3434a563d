import type { Fields } from './define.ts';

/** The hash before an account's first link. */
export const CHAIN_START = '0'.repeat(64);

/** What lies beside the text of a link: the hash of the link before it, and its own, in hex. */
export interface Link {
  previousHash: string;
  hash: string;
}

/** The data of a link without what lies beside its text. */
export const withoutLink = ({ previousHash: _, hash: __, ...data }: Fields): Fields => data;
