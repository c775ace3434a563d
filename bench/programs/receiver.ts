import { createServer, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { answerBench, tellPort } from './measure.ts';

// The target of forwards and webhooks. POST /quick/<name> answers at once and notes the age of the
// message, by the time in its text: of a forward by that name, of an event by the first word of its
// text. POST /hang never answers.

type Told = { message: { text: { body: string } } } | { data: { text: string } };

const ages = new Map<string, number[]>();
let received = 0;

const now = () => performance.timeOrigin + performance.now();

const note = async (request: IncomingMessage, name: string): Promise<void> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const told = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Told;
  const [word = '', at] = ('data' in told ? told.data.text : told.message.text.body).split(' ');
  const of = 'data' in told ? word : name;
  const age = now() - Number(at);
  const known = ages.get(of);
  if (known) known.push(age);
  else ages.set(of, [age]);
  received += 1;
};

const server = createServer(async (request, response) => {
  const [, way = '', name = ''] = (request.url ?? '').split('/');
  if (way === 'hang') return;
  await note(request, name);
  response.end('ok');
});

server.listen(0, '127.0.0.1', () => tellPort(server.address()));

answerBench({
  received: () => received,
  /** Ages in ms by name, since the last call. */
  ages() {
    const all = Object.fromEntries(ages);
    ages.clear();
    return all;
  },
});
