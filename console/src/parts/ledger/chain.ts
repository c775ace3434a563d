import { api, bodyOf } from '../../api/client.ts';

const PAGE = 1000;

/** A link of an account's hash chain, as the log holds it. */
export interface Link {
  sequence: number;
  type: string;
  at: string;
  amount: number;
  balanceAfter: number;
  previousHash: string;
  hash: string;
  position: string;
  /** Whether it names the hash of the link before; null where no link before was read. */
  follows: boolean | null;
}

/** The log holds some hashes in base64url, which is shorter. */
const hexOf = (hash: string): string => {
  if (/^[0-9a-f]{64}$/.test(hash)) return hash;
  const text = atob(hash.replaceAll('-', '+').replaceAll('_', '/'));
  return [...text].map((char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
};

/** The log holds some times as milliseconds since 1970. */
const timeOf = (at: unknown): string =>
  typeof at === 'number' ? new Date(at).toISOString() : String(at);

interface LogEvent {
  type: string;
  position: string;
  meta: Record<string, unknown>;
  data: Record<string, unknown>;
  /** The hashes of a link; older links have them in their data. */
  link?: { previousHash: string; hash: string };
}

/** The links among the events; each is compared with the one before, which may be given. */
const linksIn = (
  events: readonly LogEvent[],
  before: Pick<Link, 'hash' | 'sequence'> | undefined,
): readonly Link[] => {
  let last = before;
  return events.flatMap(({ type, position, meta, data, link: beside }) => {
    const { hash, previousHash } = beside ?? data;
    const { sequence, amount, balanceAfter } = data;
    if (typeof hash !== 'string' || typeof previousHash !== 'string') return [];
    const link = {
      type,
      position,
      at: timeOf(data.at ?? meta.at),
      sequence: Number(sequence),
      amount: Number(amount),
      balanceAfter: Number(balanceAfter),
      hash: hexOf(hash),
      previousHash: hexOf(previousHash),
    };
    const follows =
      last === undefined
        ? null
        : last.hash === link.previousHash && last.sequence + 1 === link.sequence;
    last = link;
    return [{ ...link, follows }];
  });
};

/** What the first link of all names as the one before. */
const CHAIN_START = { hash: '0'.repeat(64), sequence: 0 };

/**
 * Reads an account's chain from the log, page by page: from its beginning, or from a time on. What is
 * before that time is then given by the service.
 */
export async function* readChain(
  id: string,
  since: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<readonly Link[], void, void> {
  let before: Pick<Link, 'hash' | 'sequence'> | undefined = CHAIN_START;
  let from: number | null = 0;
  let query: { since?: string } = since === undefined ? {} : { since };
  while (from !== null) {
    const page: {
      events: readonly LogEvent[];
      start?: { hash: string; sequence: number };
      nextFrom: number | null;
    } = await bodyOf(
      api.GET('/admin/v1/accounts/{id}/events', {
        params: {
          path: { id },
          query: { limit: PAGE, ...(query.since === undefined ? { from } : query) },
        },
        signal,
      }),
    );
    if (page.start) before = { hash: hexOf(page.start.hash), sequence: page.start.sequence };
    query = {};
    const links = linksIn(page.events, before);
    before = links.at(-1) ?? before;
    yield links;
    from = page.nextFrom;
  }
}
