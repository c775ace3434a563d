// The names of streams: `<category>-<id>`. A stream of an account is `<category>-<account>` or
// `<category>-<account>.<rest>`, so that no id of one account can reach a stream of another. An account's
// id holds no dot; its last hexadecimal digit tells how work is shared out.

/** The id in a stream's name, after `<category>-`, also where a shared log puts more before the name. */
export const idInStream = (stream: string, category: string): string => {
  const start = `${category}-`;
  return stream.slice(stream.indexOf(start) + start.length);
};

/** The id of a stream of an account, after its category. */
export const inAccount = (accountId: string, id: string): string => `${accountId}.${id}`;

/** The inverse of `inAccount`. An id without a dot is that of the account itself. */
export const partsOfId = (id: string): { accountId: string; rest: string } => {
  const dot = id.indexOf('.');
  return dot === -1
    ? { accountId: id, rest: '' }
    : { accountId: id.slice(0, dot), rest: id.slice(dot + 1) };
};

/** The stream of a message, which the account and the message's pseudonym name. */
export const messageStream = (accountId: string, messageRef: string): string =>
  `message-${accountId}.${messageRef}`;

export const isOfMessage = (stream: string): boolean => stream.startsWith('message-');

export const botStream = (accountId: string, botId: string): string => `bot-${accountId}.${botId}`;

export const botDraftStream = (accountId: string, botId: string): string =>
  `botdraft-${accountId}.${botId}`;

export const webhookStream = (accountId: string, endpointId: string): string =>
  `webhook-${accountId}.${endpointId}`;
