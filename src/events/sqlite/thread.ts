import { type SupervisedThread, superviseThread } from '../../shared/supervised-thread.ts';
import type { FromWriter, ToWriter } from './protocol.ts';

export interface ThreadHandlers {
  onAnswer: (message: FromWriter) => void;
  /** The thread died, and with it the jobs that it had not answered. */
  onDown: () => void;
  /** The thread died too often and is not started again. */
  onGivenUp: (cause: string) => void;
}

export type Thread = SupervisedThread<ToWriter>;

/** Deaths without a commit in between. */
const deathsInARowMax = 5;
const restartPauseMs = 50;

/** Starts the writing thread and keeps it alive. Rejects when it cannot open the file at first. */
export const startThread = async (file: string, handlers: ThreadHandlers): Promise<Thread> => {
  let deathsInARow = 0;
  const thread = superviseThread<ToWriter, FromWriter>({
    program: new URL('./worker.ts', import.meta.url),
    data: { file },
    name: 'event-log',
    onMessage(message) {
      if (message.kind === 'done') deathsInARow = 0;
      handlers.onAnswer(message);
    },
    onDown: handlers.onDown,
    restartMs(cause) {
      deathsInARow += 1;
      if (deathsInARow <= deathsInARowMax) return restartPauseMs * deathsInARow;
      handlers.onGivenUp(cause);
      return undefined;
    },
  });
  thread.start();
  await thread.opened.catch(({ message }: Error) => {
    throw new Error(`the event log cannot be opened: ${message}`);
  });
  return thread;
};
