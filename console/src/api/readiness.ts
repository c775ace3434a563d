import { useQuery } from '@tanstack/react-query';

export interface Readiness {
  ok: boolean;
  /** Shown to operators alone. */
  checks?: Readonly<Record<string, { ok: boolean; detail?: unknown }>>;
}

/** 503 is an answer too: the service says which part of it is not ready. */
const readReadiness = async (signal: AbortSignal): Promise<Readiness> =>
  (await (await fetch('/health/ready', { signal })).json()) as Readiness;

/** Whether the service is ready, asked again every so many milliseconds. */
export const useReadiness = (everyMs: number) =>
  useQuery({
    queryKey: ['readiness'],
    queryFn: ({ signal }) => readReadiness(signal),
    refetchInterval: everyMs,
  });
