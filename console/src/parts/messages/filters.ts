import { textOf } from '../../api/search.ts';

/** The filters of the list, as its address holds them. */
export interface MessageFilters {
  account?: string | undefined;
  contact?: string | undefined;
  reference?: string | undefined;
  status?: string | undefined;
}

export const filtersIn = (search: Record<string, unknown>): MessageFilters => ({
  account: textOf(search.account),
  contact: textOf(search.contact),
  reference: textOf(search.reference),
  status: textOf(search.status),
});
