import { api, bodyOf } from '../../api/client.ts';
import type { components } from '../../api/reference.ts';

export type CatalogEntry = components['schemas']['CatalogEntry'];

/** What became of a send, and what it cost. */
export interface Sent {
  messageId: string;
  channel: string;
  template: string | null;
  category: string | null;
  price: string | null;
  /** Credits, or an amount of the wallet. */
  left: string | null;
  charged: string | null;
}

export const readCatalog = (signal: AbortSignal) =>
  bodyOf(api.GET('/v1/notifications/catalog', { signal }));

export interface Draft {
  to: string;
  event: string;
  variables: Record<string, string>;
  phoneNumberId?: string;
  clientReference?: string;
  /** Refused before any charge where variables or the number are wrong; else as the account says. */
  strict?: true;
}

/** It goes out later, because of the account's quiet hours. */
export type Later = components['schemas']['Later'];

export type Quote = components['schemas']['Quote'];

/** What the send would cost, and whether it would be refused; nothing is sent or charged. */
export const quote = (draft: Draft, signal: AbortSignal): Promise<Quote> => {
  const request = { allowTextFallback: false, ...draft };
  return bodyOf(api.POST('/v1/quotes', { body: { kind: 'notification', request }, signal }));
};

/** Sends; with the id of a quote at its price, or not at all. */
export const send = async (
  body: Draft & { quoteId?: string },
  key: string,
): Promise<Sent | Later> => {
  const { data, response } = await api.POST('/v1/notifications/send', {
    params: { header: { 'Idempotency-Key': key } },
    body: { allowTextFallback: false, ...body },
  });
  if (!data) throw new Error('The answer was empty');
  if ('scheduled' in data) return data.scheduled;
  const { headers } = response;
  return {
    messageId: data.messageId,
    channel: data.channel,
    template: data.template,
    category: headers.get('X-Message-Category'),
    price: headers.get('X-Message-Price'),
    charged: headers.get('X-Credits-Charged'),
    left: headers.get('X-Credits-Remaining') ?? headers.get('X-Wallet-Balance'),
  };
};
