import { createServer } from 'node:http';
import { answerBench, tellPort } from './measure.ts';

// The provider of every service under load: accepts a message and answers with an id. It approves
// templates at once and calls all numbers healthy, so that a tenant can be set up. Its answers to
// messages can be delayed.

const latencyMs = Number(process.argv[2] ?? 0);

/** Message ids differ in each run, because scenarios share a log. */
const run = Date.now().toString(36);
let count = 0;
let messages = 0;
/** When each recipient's latest message came, in ms since 1970. */
const arrivals = new Map<string, number>();

const answerOf = (method: string, path: string, body: string): unknown => {
  if (path.endsWith('/messages')) {
    count += 1;
    messages += 1;
    const { to } = JSON.parse(body) as { to: string };
    const waId = to.replace('+', '');
    arrivals.set(waId, Date.now());
    return {
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: waId }],
      messages: [{ id: `wamid.${run}.${count}`, message_status: 'accepted' }],
    };
  }
  if (path.includes('/message_templates')) {
    if (method === 'GET') return { data: [], paging: {} };
    count += 1;
    return { id: String(count), status: 'APPROVED', category: 'UTILITY' };
  }
  return {
    id: path.split('/')[2],
    display_phone_number: '+1 555-010-0001',
    verified_name: 'Bench',
    quality_rating: 'GREEN',
    status: 'CONNECTED',
    platform_type: 'CLOUD_API',
  };
};

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    const text = JSON.stringify(answerOf(request.method ?? '', request.url ?? '', body));
    const answer = () => {
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text),
      });
      response.end(text);
    };
    if (latencyMs > 0 && request.url?.endsWith('/messages')) setTimeout(answer, latencyMs);
    else answer();
  });
});

server.listen(0, '127.0.0.1', () => tellPort(server.address()));

answerBench({ messages: () => messages, arrivals: () => [...arrivals] });
