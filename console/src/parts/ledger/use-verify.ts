import { useCallback, useEffect, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';

type Step = components['schemas']['VerifyStep'];
type VerifyProgress = NonNullable<Step['progress']>;
export type Report = NonNullable<Step['report']>;

interface Request {
  accountId?: string;
  seals?: string;
  keys?: string[];
}

/** The steps of a verification, as the service sends them. */
async function* stepsOf(body: Request, signal: AbortSignal): AsyncGenerator<Step, void, void> {
  const { data } = await api.POST('/admin/v1/ledger/verify/follow', {
    body,
    signal,
    parseAs: 'stream',
  });
  const reader = (data as ReadableStream<BufferSource>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const messages = (text + value).split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) yield JSON.parse(message.replace(/^data: /, '')) as Step;
  }
}

interface Verification {
  state: 'idle' | 'running' | 'done' | 'failed';
  progress?: VerifyProgress;
  /** Only of a verification that came to its end. */
  report?: Report;
  /** Position in the log up to which the report holds, and when it came. */
  head?: string;
  at?: string;
  problem?: unknown;
}

/** Has the service verify the books. What is cancelled or interrupted has no report. */
export const useVerify = () => {
  const [verification, setVerification] = useState<Verification>({ state: 'idle' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const start = useCallback(async (body: Request): Promise<void> => {
    running.current?.abort();
    const control = new AbortController();
    running.current = control;
    setVerification({ state: 'running' });
    try {
      for await (const { progress, report, head, error } of stepsOf(body, control.signal)) {
        if (progress) setVerification({ state: 'running', progress });
        if (error !== undefined) throw new Error(error);
        if (!report) continue;
        setVerification({ state: 'done', report, head, at: new Date().toISOString() });
        return;
      }
      throw new Error('The verification was interrupted: nothing is verified');
    } catch (problem) {
      if (running.current === control) setVerification({ state: 'failed', problem });
    }
  }, []);
  const end = useCallback((next: Verification) => {
    running.current?.abort();
    running.current = undefined;
    setVerification(next);
  }, []);
  return {
    ...verification,
    start,
    reset: () => end({ state: 'idle' }),
    cancel: () => end({ state: 'failed', problem: new Error('Cancelled: nothing is verified') }),
  };
};
