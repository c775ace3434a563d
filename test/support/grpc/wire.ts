import { createRequire } from 'node:module';
import pb from '@eventstore/db-client/generated/streams_pb.js';
import type * as Grpc from '@grpc/grpc-js';
import type { Expected, Kept, Proposed } from './log.ts';

// The client's own gRPC library and message classes: the double speaks what the client speaks.

const require = createRequire(import.meta.url);
const fromClient = createRequire(require.resolve('@eventstore/db-client'));

export const grpc = fromClient('@grpc/grpc-js') as typeof Grpc;

const shared = fromClient('../generated/shared_pb.js') as {
  UUID: new () => { setString(id: string): void };
  StreamIdentifier: new () => { setStreamName(name: Uint8Array): void };
  Empty: new () => object;
  AllStreamPosition: new () => {
    setCommitPosition(at: string): void;
    setPreparePosition(at: string): void;
  };
};

const { Any } = fromClient('google-protobuf/google/protobuf/any_pb.js') as {
  Any: new () => { pack(bytes: Uint8Array, type: string): void };
};

const { Status } = fromClient('../generated/status_pb.js') as {
  Status: new () => { setMessage(text: string): void; setDetails(details: object): void };
};

const uuidOf = (id: string) => {
  const uuid = new shared.UUID();
  uuid.setString(id);
  return uuid as never;
};

const identifierOf = (name: string) => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(name));
  return identifier as never;
};

type Named = { getStreamName_asU8(): Uint8Array } | undefined;

export const nameOf = (identifier: Named): string =>
  Buffer.from(identifier?.getStreamName_asU8() ?? []).toString();

export const expectedOf = (options: InstanceType<typeof pb.BatchAppendReq.Options>): Expected => {
  if (options.hasAny()) return 'any';
  if (options.hasStreamExists()) return 'exists';
  return options.hasNoStream() ? -1 : Number(options.getStreamPosition());
};

export const proposedOf = (
  message: InstanceType<typeof pb.BatchAppendReq.ProposedMessage>,
): Proposed => ({
  id: message.getId()?.getString() ?? '',
  type: String(message.getMetadataMap().get('type')),
  contentType: String(message.getMetadataMap().get('content-type')),
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
});

const messageOf = (kept: Kept) => {
  const event = new pb.ReadResp.ReadEvent.RecordedEvent();
  event.setId(uuidOf(kept.id));
  event.setStreamIdentifier(identifierOf(kept.stream));
  event.setStreamRevision(String(kept.revision));
  event.setCommitPosition(String(kept.position));
  event.setPreparePosition(String(kept.position));
  event.getMetadataMap().set('type', kept.type);
  event.getMetadataMap().set('content-type', kept.contentType);
  event.getMetadataMap().set('created', '0');
  event.setData(kept.data);
  event.setCustomMetadata(kept.metadata);
  const read = new pb.ReadResp.ReadEvent();
  read.setEvent(event);
  read.setCommitPosition(String(kept.position));
  const response = new pb.ReadResp();
  response.setEvent(read);
  return response;
};

const encoded = new WeakMap<Kept, Buffer>();

/** As bytes, which are made once: the same event goes to many readers, and making them is slow. */
export const eventBytes = (kept: Kept): Buffer => {
  const known = encoded.get(kept);
  if (known) return known;
  const bytes = Buffer.from(messageOf(kept).serializeBinary());
  encoded.set(kept, bytes);
  return bytes;
};

type Serialize<Message> = (message: Message) => Buffer;

/** Lets bytes pass as they are. */
export const orBytes =
  <Message>(serialize: Serialize<Message>): Serialize<Message | Buffer> =>
  (message) =>
    Buffer.isBuffer(message) ? message : serialize(message);

export const confirmationMessage = () => {
  const confirmation = new pb.ReadResp.SubscriptionConfirmation();
  confirmation.setSubscriptionId('a subscription');
  const response = new pb.ReadResp();
  response.setConfirmation(confirmation);
  return response;
};

/** All that was in the log when the subscription began has been sent. */
export const caughtUpMessage = () => {
  const response = new pb.ReadResp();
  response.setCaughtUp(new pb.ReadResp.CaughtUp());
  return response;
};

export const checkpointMessage = (position: bigint, prepare = position) => {
  const checkpoint = new pb.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(position));
  checkpoint.setPreparePosition(String(prepare));
  const response = new pb.ReadResp();
  response.setCheckpoint(checkpoint);
  return response;
};

export const notFoundMessage = (stream: string) => {
  const missing = new pb.ReadResp.StreamNotFound();
  missing.setStreamIdentifier(identifierOf(stream));
  const response = new pb.ReadResp();
  response.setStreamNotFound(missing);
  return response;
};

const answerTo = (id: string) => {
  const response = new pb.BatchAppendResp();
  response.setCorrelationId(uuidOf(id));
  return response;
};

/** `withPosition` false: as the server answers a repeat that it cannot place. */
export const appendedMessage = (id: string, last: Kept, withPosition: boolean) => {
  const success = new pb.BatchAppendResp.Success();
  success.setCurrentRevision(String(last.revision));
  if (withPosition) {
    const position = new shared.AllStreamPosition();
    position.setCommitPosition(String(last.position));
    position.setPreparePosition(String(last.position));
    success.setPosition(position as never);
  } else {
    success.setNoPosition(new shared.Empty() as never);
  }
  const response = answerTo(id);
  response.setSuccess(success);
  return response;
};

/** The server says why by the type of the details alone. */
export const refusedMessage = (id: string, details: string) => {
  const any = new Any();
  any.pack(new Uint8Array(), `event_store.client.${details}`);
  const status = new Status();
  status.setMessage(`as scripted: ${details}`);
  status.setDetails(any);
  const response = answerTo(id);
  response.setError(status as never);
  return response;
};
