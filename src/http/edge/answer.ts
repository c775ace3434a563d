import { validateHeaderValue } from 'node:http';
import type { EdgeContext } from './context.ts';

/**
 * Says that the answer will have this header; a name, always written alike, stands once. The head
 * is a list until it leaves: what Node is told header by header it keeps in a dictionary, which is
 * dear where every answer has a dozen of them.
 */
export const setHeader = ({ state: { head } }: EdgeContext, name: string, value: string): void => {
  for (let index = 0; index < head.length; index += 2) {
    if (head[index] !== name) continue;
    head[index + 1] = value;
    return;
  }
  head.push(name, value);
};

/** Those of one answer. Throws while there is still time to answer otherwise. */
export const setHeaders = (ctx: EdgeContext, headers: Readonly<Record<string, string>>): void => {
  for (const name in headers) {
    const value = headers[name]!;
    validateHeaderValue(name, value);
    setHeader(ctx, name, value);
  }
};

/** Sends what the request has come to. Koa has nothing to do with it any more. */
export const sendAnswer = (ctx: EdgeContext): void => {
  const { res, state } = ctx;
  const { status, body } = state.answer;
  ctx.respond = false;
  if (body !== undefined) setHeader(ctx, 'Content-Length', String(Buffer.byteLength(body)));
  res.writeHead(status, state.head);
  res.end(body);
};
