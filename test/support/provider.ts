import type { Content } from '../../src/events/content.ts';
import type { Sender } from '../../src/provider/provider.ts';

export const sender = (change: Partial<Sender> = {}): Sender => ({
  phoneNumberId: '100000000000001',
  wabaId: '200000000000002',
  accessToken: 'EAAsecret0123456789',
  messagesPerSecond: 80,
  ...change,
});

/** A message to an ordinary recipient, or to the one given. */
export const outgoing = (to = '447700900123', chargeId = 'charge-1') => ({
  to,
  content: { type: 'text', body: 'Hi', previewUrl: false } satisfies Content as Content,
  contextMessageId: null,
  chargeId,
});

/** Collects log lines, to look at what must not be in them. */
export const logSink = () => {
  const lines: string[] = [];
  const write = (fields: object, text: string) => lines.push(JSON.stringify({ ...fields, text }));
  return { lines, debug: write, warn: write };
};
