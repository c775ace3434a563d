import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { AppError, isRefusal } from '../../shared/errors.ts';
import { bodyTooSlow, inviteBody } from './body.ts';
import type { IncomingForm } from './context.ts';
import { createPatience, type Patience } from './limits.ts';

export interface FormLimits {
  /** The largest file. */
  bytesMax: number;
  /** For the whole form, in milliseconds. */
  timeoutMs: number;
  /** The longest silence of the caller, in milliseconds. */
  graceMs: number;
  /** Passes over the fields after the file, which otherwise are refused. */
  ignoresLateFields?: boolean;
}

/** A form that is being read. */
interface FormReading {
  form: Promise<IncomingForm>;
  /** Reads no further, whatever of the form is left. */
  end(): void;
}

const FIELDS_MAX = 10;
const FIELD_BYTES_MAX = 16_384;
const HEADER_BYTES_MAX = 8192;
const NAME_LENGTH_MAX = 1000;
const HEADER_PAIRS_MAX = 20;
/** What a form holds beside its file. */
const FORM_BYTES_MAX = 65_536;

const malformed = (message: string) => new AppError('request.malformed', message);

const unreadable = (cause: unknown) =>
  malformed(`The form cannot be read: ${cause instanceof Error ? cause.message : 'it ends early'}`);

const tooLarge = (bytesMax: number) =>
  new AppError('request.too_large', `The file is larger than ${bytesMax} bytes`);

const unsupported = (message: string) => new AppError('request.unsupported_type', message);

/** Of up to 70 characters, as RFC 2046 bounds it: the search for a long one could take long. */
const BOUNDARY = /;\s*boundary=(?:"[^"]{1,70}"|[^\s";]{1,70})\s*(?:;|$)/i;

/** The refusal of a form by the head of its request. */
const refusalOf = ({ headers }: IncomingMessage, bytesMax: number): AppError | undefined => {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() !== 'identity') return unsupported('The body must not be compressed');
  if (!/^multipart\/form-data\s*;/i.test(type) || !BOUNDARY.test(type)) {
    return unsupported(
      'The body must be a form, with Content-Type: multipart/form-data; boundary=…',
    );
  }
  const isLong = Number(headers['content-length'] ?? 0) > bytesMax + FORM_BYTES_MAX;
  return isLong ? tooLarge(bytesMax) : undefined;
};

const parserOf = (headers: IncomingMessage['headers'], bytesMax: number) =>
  new Busboy({
    headers: { ...headers, 'content-type': headers['content-type']! },
    limits: {
      files: 1,
      fields: FIELDS_MAX,
      parts: FIELDS_MAX + 2,
      fieldSize: FIELD_BYTES_MAX,
      headerPairs: HEADER_PAIRS_MAX,
      headerSize: HEADER_BYTES_MAX,
      // One byte more shows a file that is too long.
      fileSize: bytesMax + 1,
    },
  });

/** Passes the file on; ends well only once the whole form has come. */
async function* whole(file: Readable, rest: Promise<void>, bytesMax: number, patience: Patience) {
  let bytes = 0;
  try {
    patience.start();
    for await (const chunk of file as AsyncIterable<Buffer>) {
      patience.stop();
      bytes += chunk.length;
      if (bytes > bytesMax) throw tooLarge(bytesMax);
      yield chunk;
      patience.start();
    }
    await rest;
  } catch (error) {
    throw isRefusal(error) ? error : unreadable(error);
  } finally {
    patience.stop();
  }
}

const begin = (request: IncomingMessage, limits: FormLimits): FormReading => {
  const { bytesMax, timeoutMs, graceMs, ignoresLateFields = false } = limits;
  const fields: Record<string, string> = {};
  const form = Promise.withResolvers<IncomingForm>();
  const finished = Promise.withResolvers<void>();
  finished.promise.catch(() => undefined);
  const busboy = parserOf(request.headers, bytesMax);
  let file: Readable | undefined;
  let bytes = 0;
  let isOver = false;

  const settle = (error?: Error) => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    patience.stop();
    request.off('close', onClose).off('data', onData).unpipe(busboy);
    if (!error) {
      finished.resolve();
      return;
    }
    finished.reject(error);
    form.reject(error);
    file?.destroy(error);
  };
  const timer = setTimeout(() => settle(bodyTooSlow()), timeoutMs);
  const patience = createPatience(graceMs, () => settle(bodyTooSlow()));
  const onClose = () => {
    if (!request.readableEnded) settle(malformed('The request was aborted'));
  };
  /** Bounds also what no part of the form holds. */
  const onData = (chunk: Buffer) => {
    bytes += chunk.length;
    patience.earn(chunk.length);
    if (bytes > bytesMax + FORM_BYTES_MAX) settle(tooLarge(bytesMax));
  };

  busboy.on('field', (name, value, nameCut, valueCut) => {
    if (nameCut || valueCut) return settle(malformed(`The field ${name} is too long`));
    if (!file) fields[name] = value;
    else if (!ignoresLateFields) settle(malformed(`The field ${name} must come before the file`));
  });
  busboy.on('file', (name, stream, filename, _encoding, mimeType) => {
    stream.on('error', () => undefined);
    if (isOver) return void stream.resume();
    file = stream;
    patience.stop();
    if (name !== 'file') return settle(malformed('The file must be in the field `file`'));
    // The parser cuts the head of a part at 8 KiB, and would lose the type after a longer name.
    if (filename && filename.length > NAME_LENGTH_MAX) {
      return settle(malformed(`The name of the file is longer than ${NAME_LENGTH_MAX} characters`));
    }
    const content = whole(stream, finished.promise, bytesMax, patience);
    const announced = Number(request.headers['content-length'] ?? bytesMax);
    form.resolve({
      fields,
      filename: filename || 'file',
      mimeType,
      bytesMax: Math.min(bytesMax, announced),
      content,
    });
  });
  busboy.on('filesLimit', () => settle(malformed('The form holds more than one file')));
  busboy.on('fieldsLimit', () => settle(malformed('The form holds too many fields')));
  busboy.on('partsLimit', () => settle(malformed('The form holds too many parts')));
  busboy.on('error', (cause) => settle(unreadable(cause)));
  busboy.on('finish', () =>
    settle(file ? undefined : malformed('The form holds no file in the field `file`')),
  );
  request.on('close', onClose).on('data', onData);
  patience.start();
  request.pipe(busboy);
  return { form: form.promise, end: () => settle(malformed('The form was not read to its end')) };
};

/** Reads a form up to its file, and lets `use` read the file. */
export const withForm = async <T>(
  request: IncomingMessage,
  response: ServerResponse,
  limits: FormLimits,
  use: (form: IncomingForm) => Promise<T>,
): Promise<T> => {
  const refusal = refusalOf(request, limits.bytesMax);
  if (refusal) throw refusal;
  inviteBody(request, response);
  const reading = begin(request, limits);
  try {
    return await use(await reading.form);
  } finally {
    reading.end();
  }
};
