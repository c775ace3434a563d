import { WaybillError } from './errors.ts';

// Signatures after Standard Webhooks: HMAC-SHA-256 over `<id>.<timestamp>.<body>`.

/** A webhook whose signature is not that of the service, or whose time is not now. */
export class WebhookError extends WaybillError {
  override name = 'WebhookError';
}

/** The event that a webhook brings. */
export interface WebhookEvent {
  /** The id of the event: the same when it is delivered again. */
  id: string;
  type: string;
  /** ISO 8601. */
  timestamp: string;
  accountId: string;
  data: Readonly<Record<string, unknown>>;
}

export interface WebhookRequest {
  /** The bytes or the text as they came, before any JSON parser. */
  body: string | Uint8Array;
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** `whsec_…`. After a rotation both, while the old one still signs. */
  secret: string | readonly string[];
  /** For clocks that differ, in seconds. */
  toleranceSeconds?: number;
  /** Now, in ms since 1970. */
  now?: number;
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';

const headerIn = (headers: WebhookRequest['headers'], name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
};

const fromBase64 = (text: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
};

const keyOf = (secret: string) => {
  const bytes = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
  // Under an empty secret anybody could sign.
  if (!bytes?.length) throw new WebhookError('The secret of a webhook is `whsec_` and base64');
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify']);
};

const bytesOf = (body: string | Uint8Array): Uint8Array =>
  typeof body === 'string' ? new TextEncoder().encode(body) : body;

const signedBytes = (id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> => {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const all = new Uint8Array(head.length + body.length);
  all.set(head);
  all.set(body, head.length);
  return all;
};

/** Signatures of the header, such as `v1,<base64> v1,<base64>`; other versions are passed over. */
const signaturesIn = (header: string): Uint8Array<ArrayBuffer>[] =>
  header.split(' ').flatMap((one) => {
    const [version, text] = one.split(',');
    const bytes = version === 'v1' && text ? fromBase64(text) : undefined;
    return bytes ? [bytes] : [];
  });

const isSigned = async (
  secrets: readonly string[],
  signatures: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> => {
  for (const secret of secrets) {
    const key = await keyOf(secret);
    for (const signature of signatures) {
      // It compares in constant time.
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true;
    }
  }
  return false;
};

/**
 * The event of a webhook that is signed by the service and of now. Throws a WebhookError for any other:
 * answer it with a 400.
 */
export const verifyWebhook = async ({
  body,
  headers,
  secret,
  toleranceSeconds = TOLERANCE_SECONDS,
  now = Date.now(),
}: WebhookRequest): Promise<WebhookEvent> => {
  const id = headerIn(headers, 'webhook-id');
  const timestamp = headerIn(headers, 'webhook-timestamp');
  const signature = headerIn(headers, 'webhook-signature');
  if (!id || !timestamp || !signature) {
    throw new WebhookError('webhook-id, webhook-timestamp and webhook-signature are needed');
  }
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(now / 1_000 - seconds) <= toleranceSeconds)) {
    throw new WebhookError('The time of the webhook is too far from now: it may be a replayed one');
  }
  const bytes = bytesOf(body);
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const isRight = await isSigned(
    secrets,
    signaturesIn(signature),
    signedBytes(id, timestamp, bytes),
  );
  if (!isRight) throw new WebhookError('The signature is not that of the body under this secret');
  const event = JSON.parse(new TextDecoder().decode(bytes)) as Omit<WebhookEvent, 'id'>;
  return { ...event, id };
};
