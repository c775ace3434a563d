import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Ingress } from '../../commands/inbound/ingress.ts';
import { decodeWebhook, isSignature, verifySignature } from '../../provider/webhook/webhook.ts';
import { AppError } from '../../shared/errors.ts';
import { reply } from '../edge/respond.ts';
import { defineRawRoute, type RawRoute } from '../route/raw-route.ts';

const PATH = '/api/provider/webhook';
/** The provider's largest payload. */
const LIMIT_BYTES = 3 * 1024 * 1024;

const unconfigured = () =>
  new AppError(
    'webhook.unconfigured',
    'The webhook needs WAYBILL_APP_SECRET and WAYBILL_VERIFY_TOKEN',
    { retryAfterSeconds: 60 },
  );

const sameText = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
};

const wrongToken = () => new AppError('webhook.token', 'The verify token does not match');

const signatureIn = ({ 'x-hub-signature-256': given }: IncomingHttpHeaders): string | undefined =>
  typeof given === 'string' ? given : given?.[0];

/** The provider's webhook: the handshake, and the signed notifications. */
export const webhookRoutes = (deps: {
  ingress: Ingress;
  /** Two while the secret is being changed; none where it is not set. */
  appSecrets: readonly string[];
  verifyTokens: readonly string[];
  signatures: { onRefused(): void; accepted: number };
}): readonly RawRoute[] => {
  const { ingress, appSecrets, verifyTokens, signatures } = deps;
  const demandSignature = (isRight: boolean) => {
    if (isRight) return;
    signatures.onRefused();
    throw new AppError('webhook.signature', 'The signature does not match');
  };
  return [
    defineRawRoute({
      method: 'GET',
      path: PATH,
      limitBytes: 0,
      authenticate({ query }) {
        if (verifyTokens.length === 0) throw unconfigured();
        const given = query['hub.verify_token'] ?? '';
        const matches = verifyTokens.some((token) => sameText(given, token));
        if (query['hub.mode'] !== 'subscribe' || !matches) throw wrongToken();
      },
      handle: ({ query }) => reply(200, query['hub.challenge'] ?? ''),
    }),
    defineRawRoute({
      method: 'POST',
      path: PATH,
      limitBytes: LIMIT_BYTES,
      checkHead({ headers }) {
        if (appSecrets.length === 0) throw unconfigured();
        demandSignature(isSignature(signatureIn(headers)));
      },
      authenticate({ rawBody, headers }) {
        const given = signatureIn(headers);
        demandSignature(appSecrets.some((secret) => verifySignature(rawBody, given, secret)));
        signatures.accepted += 1;
      },
      async handle({ rawBody, requestId }) {
        const decoding = decodeWebhook(rawBody);
        if (!decoding.ok) {
          throw new AppError('request.malformed', `The payload cannot be read: ${decoding.reason}`);
        }
        // The provider repeats a notification after any status but 200.
        await ingress.ingestAll(decoding.items, { requestId, countsAsFree: false });
        return reply(200, { success: true });
      },
    }),
  ];
};
