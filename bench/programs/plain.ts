import { createHmac, timingSafeEqual } from 'node:crypto';
import Koa from 'koa';
import { answerBench, tellPort } from './measure.ts';

// Baselines: GET /constant/<bytes> answers a JSON text of that length, and POST /signed checks the
// signature of the body and answers.

const SECRET = 'bench-app-secret';
const constants = new Map<number, string>();

const constantOf = (bytes: number): string => {
  const known = constants.get(bytes) ?? JSON.stringify({ text: 'x'.repeat(bytes - 11) });
  constants.set(bytes, known);
  return known;
};

const bodyOf = async (request: AsyncIterable<Buffer>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const isSigned = (body: Buffer, header: string): boolean => {
  const given = Buffer.from(header.replace('sha256=', ''), 'hex');
  const expected = createHmac('sha256', SECRET).update(body).digest();
  return given.length === expected.length && timingSafeEqual(given, expected);
};

const app = new Koa();
app.use(async (ctx) => {
  if (ctx.method === 'GET') {
    ctx.type = 'json';
    ctx.body = constantOf(Number(ctx.path.split('/')[2]));
    return;
  }
  ctx.status = isSigned(await bodyOf(ctx.req), ctx.get('x-hub-signature-256')) ? 200 : 401;
  ctx.body = { success: ctx.status === 200 };
});

const server = app.listen(0, '127.0.0.1', () => {
  server.keepAliveTimeout = 120_000;
  tellPort(server.address());
});

answerBench();
