import { once } from 'node:events';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { z } from 'zod';
import { defineRoute } from '../../../src/http/route/route.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { answered } from '../../support/answered.ts';
import { type Edge, echoRoute, openEdge, readToEnd, toy, useEdges } from '../../support/edge.ts';
import {
  BOUNDARY,
  FORM_END,
  FORM_TYPE,
  formHead,
  formOf,
  type Part,
  partOf,
} from '../../support/form.ts';
import { until } from '../../support/until.ts';

const FILE_BYTES_MAX = 200_000;
/** More than a form may hold beside its file. */
const SURPLUS = 100_000;

const file = (change: Partial<Part> = {}): Part => ({
  name: 'file',
  filename: 'a.png',
  type: 'image/png',
  value: 'the content',
  ...change,
});
const field = (name: string, value = '1'): Part => ({ name, value });

describe('Forms with a file', () => {
  useEdges();

  /** What handlers met. */
  let seen: { begun: number; errors: unknown[] };
  /** Lets handlers read the file. */
  let mayRead: Promise<void>;
  beforeEach(() => {
    seen = { begun: 0, errors: [] };
    mayRead = Promise.resolve();
  });

  const route = defineRoute({
    ...toy,
    method: 'POST',
    path: '/v1/files',
    upload: z.object({ file: z.string() }),
    responses: { 201: z.looseObject({}) },
    handle: (_, context) =>
      context
        .readForm({ bytesMax: FILE_BYTES_MAX }, async ({ content, ...head }) => {
          seen.begun += 1;
          await mayRead;
          if (head.mimeType === 'text/html') {
            throw new AppError('request.unsupported_type', 'No pages');
          }
          const chunks: Buffer[] = [];
          for await (const chunk of content) chunks.push(chunk);
          return { ...head, bytes: Buffer.concat(chunks).length };
        })
        .catch((error) => {
          seen.errors.push(error);
          throw error;
        }),
  });
  const open = (options: Parameters<typeof openEdge>[0] = {}) =>
    openEdge({ routes: [route, echoRoute], ...options });
  const post = (edge: Edge, body: Buffer | string, headers: Record<string, string> = {}) =>
    edge.call('POST', '/api/v1/files', {
      token: 'good',
      headers: { 'content-type': FORM_TYPE, ...headers },
      body,
    });
  const headOf = (headers: string, type = FORM_TYPE): string =>
    'POST /api/v1/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n' +
    `Content-Type: ${type}\r\n${headers}\r\n\r\n`;
  const statusOf = (text: string): string => text.slice(9, 12);
  const firstOf = async (socket: Socket) => String((await once(socket, 'data'))[0]);

  it('hand over the fields and the file, also in one byte at a time', async () => {
    const edge = await open();
    const body = formOf(field('phoneNumberId', '77'), file({ filename: 'ä b.png' }));
    const expected = {
      fields: { phoneNumberId: '77' },
      filename: 'ä b.png',
      mimeType: 'image/png',
      bytesMax: body.length,
      bytes: 11,
    };
    const { status, body: answer } = await post(edge, body);
    expect([status, answer]).to.deep.equal([201, expected]);

    const socket = await edge.dial();
    socket.setNoDelay(true);
    socket.write(headOf(`Connection: close\r\nContent-Length: ${body.length}`));
    for (const byte of body) {
      socket.write(Buffer.of(byte));
      await new Promise(setImmediate);
    }
    const text = await readToEnd(socket);
    expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n')))).to.deep.equal(expected);
  });

  it('are read under a path with a slash at its end, and with a boundary in quotes', async () => {
    const edge = await open();
    const type = `multipart/form-data; charset=utf-8; boundary="${BOUNDARY}"`;
    const how = { token: 'good', headers: { 'content-type': type }, body: formOf(file()) };
    await answered(201, edge.call('POST', '/api/v1/files/', how));
  });

  const many = (count: number, part: (index: number) => Part) =>
    Array.from({ length: count }, (_, index) => part(index));
  const long = 'x'.repeat(16_385);
  const tooMuch = Buffer.alloc(FILE_BYTES_MAX + 1);
  const beside = Buffer.alloc(FILE_BYTES_MAX + SURPLUS, '\r\n');
  const fieldsMany = many(11, (index) => field(`f${index}`));
  const nameless = many(20, () => ({ value: 'x', type: 'text/plain' }));
  const namedLong = file({ filename: `${'a'.repeat(16_000)}.png` });
  const wrong: [what: string, status: number, error: RegExp, body: Buffer][] = [
    ['no file', 400, /holds no file/, formOf(field('a'))],
    ['nothing', 400, /cannot be read|holds no file/, FORM_END],
    ['two files', 400, /more than one file/, formOf(file(), file())],
    ['a file under another name', 400, /in the field `file`/, formOf(file({ name: 'picture' }))],
    [
      'a field after the file',
      400,
      /number must come before the file/,
      formOf(file(), field('number')),
    ],
    ['11 fields', 400, /too many fields/, formOf(...fieldsMany, file())],
    ['parts without a name', 400, /too many parts/, formOf(...nameless, file())],
    ['a field of 16,385 bytes', 400, /number is too long/, formOf(field('number', long), file())],
    [
      'a file of one byte too many',
      413,
      /larger than 200000 bytes/,
      formOf(file({ value: tooMuch })),
    ],
    [
      'much beside the file',
      413,
      /larger than 200000 bytes/,
      Buffer.concat([beside, formOf(file())]),
    ],
    [
      'a name so long that the type after it would be lost',
      400,
      /name of the file is longer than 1000 characters/,
      formOf(namedLong),
    ],
    ['an end in the middle of the file', 400, /cannot be read/, formOf(file()).subarray(0, 120)],
    [
      'an end before the file',
      400,
      /cannot be read|holds no file/,
      partOf(field('a')).subarray(0, 30),
    ],
    ['no form at all', 400, /holds no file|cannot be read/, Buffer.from('{"a":1}')],
  ];
  for (const [what, status, error, body] of wrong) {
    it(`are refused with ${what}`, async () => {
      const edge = await open();
      const known = await answered(status, post(edge, body));
      expect(known.body.error).to.match(error);
      // The same in chunks, whose length nobody announced.
      const socket = await edge.dial();
      socket.on('error', () => undefined);
      socket.write(headOf('Connection: close\r\nTransfer-Encoding: chunked'));
      socket.write(`${body.length.toString(16)}\r\n`);
      socket.write(body);
      socket.write('\r\n0\r\n\r\n');
      expect(statusOf(await readToEnd(socket))).to.equal(String(status));
      expect((await post(edge, formOf(file()))).status).to.equal(201);
    });
  }

  it('are refused by their head where they are compressed, no form or too long', async () => {
    const edge = await open();
    const packed = post(edge, gzipSync(formOf(file())), { 'content-encoding': 'gzip' });
    expect((await answered(415, packed)).body.error).to.equal('The body must not be compressed');
    for (const type of [
      'application/json',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/mixed; boundary=x',
      'multipart/form-data; boundary=;x',
      'x; boundary=x',
      'multipart/form-data; boundary=""',
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
      `multipart/form-data; boundary="${'x'.repeat(71)}"`,
      'multipart/form-data; boundary="x',
      `multipart/form-data${'; '.repeat(5000)}`,
    ]) {
      const posted = post(edge, formOf(file()), { 'content-type': type });
      expect((await answered(415, posted, type)).body.error, type).to.equal(
        'The body must be a form, with Content-Type: multipart/form-data; boundary=…',
      );
    }
    // The body never comes.
    const socket = await edge.dial();
    socket.write(headOf(`Content-Length: ${FILE_BYTES_MAX + SURPLUS}`));
    expect(statusOf(await firstOf(socket))).to.equal('413');
    socket.destroy();
    expect(seen.begun).to.equal(0);
  });

  it('are asked for where the caller waits for 100 Continue, and only if they may come', async () => {
    const edge = await open();
    const body = formOf(file());
    const head = `Expect: 100-continue\r\nConnection: close\r\nContent-Length: ${body.length}`;
    const socket = await edge.dial();
    socket.write(headOf(head));
    expect(await firstOf(socket)).to.match(/^HTTP\/1.1 100 Continue/);
    socket.write(body);
    expect(statusOf(await readToEnd(socket))).to.equal('201');

    const refused = await edge.dial();
    refused.write(headOf(head, 'text/plain'));
    expect(statusOf(await firstOf(refused))).to.equal('415');
    refused.destroy();
  });

  it('are read no further once the handler has refused them', async () => {
    const edge = await open();
    const socket = await edge.dial();
    socket.on('error', () => undefined);
    socket.write(headOf(`Content-Length: ${FILE_BYTES_MAX}`));
    socket.write(formHead('text/html'));
    socket.write(Buffer.alloc(1000));
    expect(await firstOf(socket)).to.match(/^HTTP\/1.1 415 .*connection: close/is);
    await once(socket, 'close');
  });

  it('end with an error for the handler when the caller leaves', async () => {
    const edge = await open();
    const socket = await edge.dial();
    socket.write(headOf(`Content-Length: ${FILE_BYTES_MAX}`));
    socket.write(Buffer.concat([formHead('image/png'), Buffer.alloc(100)]));
    await until('the handler reads', () => seen.begun === 1);
    socket.destroy();
    await until('the handler is told', () => seen.errors.length === 1);
    expect(String(seen.errors[0])).to.include('The request was aborted');
  });

  describe('from slow callers', () => {
    /** Longer than the server's limit for whole requests, shorter than a silence that is cut. */
    const timeouts = { headMs: 400, requestMs: 400, checkMs: 20 };
    const begin = async (edge: Edge): Promise<Socket> => {
      const socket = await edge.dial();
      socket.on('error', () => undefined);
      socket.write(headOf('Transfer-Encoding: chunked'));
      return socket;
    };
    const chunk = (bytes: Buffer): Buffer =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

    for (const [what, start] of [
      ['before the file', partOf(field('a')).subarray(0, 20)],
      ['in the file', Buffer.concat([formHead('image/png'), Buffer.alloc(100)])],
      ['after the file', formOf(file()).subarray(0, -4)],
    ] as const) {
      it(`end with 408 after a silence ${what}`, async () => {
        const edge = await open({ bodyTimeoutMs: 50 });
        const socket = await begin(edge);
        socket.write(chunk(start));
        const text = await readToEnd(socket);
        expect(text).to.match(/^HTTP\/1.1 408 .*connection: close/is);
        expect(text).to.include('The body did not arrive in time');
      });
    }

    it('row 41: end with 408 for a trickle, however long it would go on', async () => {
      const edge = await open({ bodyTimeoutMs: 100 });
      const socket = await begin(edge);
      socket.write(chunk(formHead('image/png')));
      let answer = '';
      socket.on('data', (bytes) => {
        answer += bytes;
      });
      for (let sent = 0; sent < 10_000 && answer === ''; sent += 1) {
        socket.write(chunk(Buffer.alloc(1)));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      expect(statusOf(answer)).to.equal('408');
      socket.destroy();
    });

    it('row 41: may take longer than other requests, while the handler waits to read, too', async () => {
      const gate = Promise.withResolvers<void>();
      mayRead = gate.promise;
      const edge = await open({ bodyTimeoutMs: 600_000, server: { timeouts } });
      const socket = await begin(edge);
      socket.write(chunk(Buffer.concat([formHead('image/png'), Buffer.alloc(100)])));
      await until('the handler waits', () => seen.begun === 1);
      // A request of another kind runs into the server's limit meanwhile.
      const echo =
        'POST /api/v1/echo HTTP/1.1\r\nAuthorization: Bearer good\r\n' +
        'Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{';
      expect(statusOf(await edge.exchange(echo))).to.equal('408');
      gate.resolve();
      socket.write(chunk(Buffer.concat([Buffer.from('abc\r\n'), FORM_END])));
      socket.write('0\r\n\r\n');
      expect(await firstOf(socket)).to.match(/^HTTP\/1.1 201 .*"bytes":103/s);
      // The next request on the same connection has the server's limit again.
      socket.write(echo);
      expect(statusOf(await readToEnd(socket))).to.equal('408');
    });
  });
});
