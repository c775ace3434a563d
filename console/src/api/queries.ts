import { QueryClient, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { Problem } from './problem.ts';

const RETRIES_MAX = 2;

/** Refusals stay refusals; faults and lost connections are tried again. */
const mayRetry = (failures: number, error: unknown): boolean =>
  failures < RETRIES_MAX && !(error instanceof Problem && error.status < 500);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: mayRetry, staleTime: 5_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});

interface Page<Row> {
  rows: readonly Row[];
  nextCursor: string | null;
}

/** A list by cursors: all rows that were read so far, and how to read more. */
export const useRows = <Row>(
  key: readonly unknown[],
  read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>,
  { enabled = true }: { enabled?: boolean } = {},
) => {
  const query = useInfiniteQuery({
    queryKey: key,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
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
