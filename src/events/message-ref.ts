import { z } from 'zod';
import { type Form, idInStream, type Upcast } from './define.ts';

// The provider's id of a message holds the contact's number in base64, so it stands in no name, key or
// clear field. The pseudonym of a message does, which `Secrets` makes from the id.

/** The category of the streams of messages. */
export const MESSAGE = 'message';

/** The pseudonym of a message; in old logs the provider's id itself. */
export const messageRef = z.string();

/** Before messages had pseudonyms, their ids were in clear, in the data or in the name of the stream. */
export const withMessageRef: Upcast = (older, stream) => {
  const messageId = older.messageId ?? idInStream(stream, MESSAGE);
  return { ...older, messageId, messageRef: messageId };
};

/** The stream's name holds the message's pseudonym. */
export const ofStream: Form = {
  pack: ({ messageRef: _, ...data }) => data,
  unpack: (stored, stream) => ({ messageRef: idInStream(stream, MESSAGE), ...stored }),
};
