import { type Query, QueryClient, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { Problem } from './problem.ts';

const RETRIES_MAX = 2;

/** Refusals stay refusals; faults and lost connections are tried again. */
const mayRetry = (failures: number, error: unknown): boolean =>
  failures < RETRIES_MAX && !(error instanceof Problem && error.status < 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: mayRetry,
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      // Without a network a read fails and says so, instead of waiting like an empty list.
      networkMode: 'always',
    },
    mutations: { retry: false },
  },
});

interface Page<Row> {
  rows: readonly Row[];
  nextCursor: string | null;
}

/** A page looks at 5,000 rows at most: this is 100,000. */
const SHORT_PAGES_MAX = 20;

/** The first page from a cursor on that has rows. One without any is passed over: others may follow. */
export const readFilled = async <Row>(
  read: (cursor: string | undefined) => Promise<Page<Row>>,
  from?: string,
): Promise<Page<Row>> => {
  let page = await read(from);
  for (let more = 1; more < SHORT_PAGES_MAX; more += 1) {
    if (page.rows.length > 0 || page.nextCursor === null) break;
    page = await read(page.nextCursor);
  }
  return page;
};

/** A list by cursors: all rows that were read so far, and how to read more. */
export const useRows = <Row>(
  key: readonly unknown[],
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>,
  { enabled = true }: { enabled?: boolean } = {},
) => {
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => readFilled((cursor) => read(cursor, signal), pageParam),
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    enabled,
  });
  const { data } = query;
  const rows = useMemo(() => data?.pages.flatMap((page) => page.rows) ?? [], [data]);
  return {
    rows,
    error: query.error,
    isLoading: query.isLoading,
    isReadingMore: query.isFetchingNextPage,
    hasMore: query.hasNextPage,
    readMore: () => void query.fetchNextPage(),
    refetch: () => void query.refetch(),
  };
};

/** What a list shows is settled beside the page, so that it looks again. */
const LOOK_AGAIN_MS = 2_000;
/** Who has scrolled farther reads history, which no longer changes. */
const LOOKED_AT_MAX = 100;

/** Reads the list under a key of texts again and again, as long as it is short. */
export const useLookAgain = (key: readonly string[], rows: number): void => {
  const cache = useQueryClient();
  const mayLook = rows <= LOOKED_AT_MAX;
  // A fresh array of the same texts is the same key.
  const name = JSON.stringify(key);
  useEffect(() => {
    if (!mayLook) return;
    const queryKey = JSON.parse(name) as string[];
    // A read that takes longer goes on; the next look comes anyway.
    const look = () => void cache.invalidateQueries({ queryKey }, { cancelRefetch: false });
    const timer = setInterval(look, LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [mayLook, cache, name]);
};

/** What is shown is read again at most this often while news come. */
const REFRESH_MS = 3_000;

/**
 * Reads what is shown under these first words of keys again, once in a while and never during a read:
 * that would be cancelled, or end without the news.
 */
export const createRefresh = (cache: QueryClient, names: readonly string[]): (() => void) => {
  const predicate = ({ queryKey: [name] }: Query) => names.includes(String(name));
  let isDue = false;
  let readAt = 0;
  const refresh = () => {
    if (cache.isFetching({ predicate }) > 0) {
      setTimeout(refresh, REFRESH_MS);
      return;
    }
    isDue = false;
    readAt = Date.now();
    void cache.invalidateQueries({ predicate });
  };
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(refresh, Math.max(0, readAt + REFRESH_MS - Date.now()));
  };
};
