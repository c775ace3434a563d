import { messageStream } from '../../src/events/streams.ts';
import { createSecrets } from '../../src/shared/secrets.ts';

/** What every service of a test is started with. */
export const SECRET = Buffer.alloc(32, 7);

export const secrets = createSecrets(SECRET);

/** The pseudonym of a message in these services, by the provider's id. */
export const { messageRef: refOfMessage } = secrets;

/** The stream of an account's message in these services, by the provider's id. */
export const streamOfMessage = ({ accountId }: { accountId: string }, messageId: string): string =>
  messageStream(accountId, refOfMessage(messageId));
