/** Bytes in the log that surround an event's data. */
const EVENT_BYTES = 400;

/** Bytes that an event with this data takes in the log. */
export const bytesOf = (data: unknown): number =>
  EVENT_BYTES + Buffer.byteLength(JSON.stringify(data));
