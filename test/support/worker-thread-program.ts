import { parentPort, workerData } from 'node:worker_threads';
import type { ToThread } from '../../src/shared/worker-thread.ts';

// A thread that does what a test asks for.

export type Asked = 'answer' | 'fail' | 'wait' | 'hang' | 'die' | 'end';

const { opens } = workerData as { opens: boolean };
const port = parentPort!;

const answer = (number: number, asked: Asked): void => {
  if (asked === 'answer') port.postMessage({ number, value: 'done' });
  if (asked === 'fail') port.postMessage({ number, failure: 'as asked' });
  if (asked === 'die') throw new Error('it was asked to');
  if (asked === 'end') {
    port.postMessage({ number, value: 'ended' });
    port.close();
  }
  while (asked === 'hang');
};

if (!opens) throw new Error('it cannot open its file');
port.on('message', (message: ToThread<Asked>) => {
  if ('task' in message) answer(message.number, message.task);
  else port.postMessage({ number: message.number, failure: 'called off' });
});
port.postMessage({ kind: 'ready' });
