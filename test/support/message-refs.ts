import { messageStream } from '../../src/events/message.ts';
import { createSecrets } from '../../src/shared/secrets.ts';

/** What every service of a test is started with. */
export const SECRET = Buffer.alloc(32, 7);

export const secrets = createSecrets(SECRET);

/** The pseudonym of a message in these services, by the provider's id. */
export const { messageRef: refOfMessage } = secrets;

/** The stream of a message in these services, by the provider's id. */
export const streamOfMessage = (messageId: string): string =>
  messageStream(refOfMessage(messageId));
