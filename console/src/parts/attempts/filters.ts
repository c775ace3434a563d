import { textOf } from '../../api/search.ts';

/** What the address of the page holds. */
export interface AttemptSearch {
  account?: string | undefined;
  contact?: string | undefined;
  reference?: string | undefined;
  state?: string | undefined;
}

export const attemptSearchIn = (search: Record<string, unknown>): AttemptSearch => ({
  account: textOf(search.account),
  contact: textOf(search.contact),
  reference: textOf(search.reference),
  state: textOf(search.state),
});
