import { useCallback, useEffect, useRef, useState } from 'react';
import { type Link, readChain } from './chain.ts';

export interface ChainCheck {
  links: readonly Link[];
  state: 'idle' | 'reading' | 'done' | 'failed';
  problem?: unknown;
}

/** Reads a chain to its end, keeping the links of a period, and says after each page how far it has come. */
export const useChain = (id: string) => {
  const [check, setCheck] = useState<ChainCheck>({ links: [], state: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = useCallback(
    async (since?: string, until?: string): Promise<readonly Link[]> => {
      running.current?.abort();
      const control = new AbortController();
      running.current = control;
      const links: Link[] = [];
      setCheck({ links: [], state: 'reading' });
      try {
        for await (const page of readChain(id, since, control.signal)) {
          const isInside = ({ at }: Link) =>
            (since === undefined || at >= since) && (until === undefined || at < until);
          for (const link of page) if (isInside(link)) links.push(link);
          setCheck({ links: [...links], state: 'reading' });
        }
        setCheck({ links: [...links], state: 'done' });
      } catch (problem) {
        if (!control.signal.aborted) setCheck({ links: [...links], state: 'failed', problem });
        throw problem;
      }
      return links;
    },
    [id],
  );
  return { check, start };
};
