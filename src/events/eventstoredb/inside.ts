import { convertToCommandError, type EventStoreDBClient } from '@eventstore/db-client';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb.js';

/**
 * Members of the client that its public type hides. The client finds the servers and the leader, keeps the channel
 * and the credentials, and connects again. Calls are made here, over its channel: appends, which share one
 * stream (`append-stream.ts`), and reads and subscriptions (`read-call.ts`): the client's own pass each event
 * through two streams and decode fields that nobody reads, which costs its reader two to four times the CPU.
 * `messages.ts` writes and reads what they send, which costs an append a fifth less than the client's messages.
 */
export interface Inside {
  getGRPCClient(type: typeof StreamsClient, name: string): Promise<StreamsClient>;
  callArguments(
    base: { requiresLeader: boolean },
    call: { deadline: number },
  ): Required<Parameters<StreamsClient['batchAppend']>>;
  /** Connects again where the error demands it, also to the leader that the error names. */
  handleError(grpc: StreamsClient, error: Error): Promise<void>;
  /** Calls that end with the client. */
  disposableStreams: Set<object>;
  getChannel: () => Promise<{ close(): void }>;
}

export const insideOf = (client: EventStoreDBClient): Inside => client as unknown as Inside;

/** For a call without a time limit of its own. */
export const ENDLESS = { deadline: Number.POSITIVE_INFINITY };

/** An error of a call as one of the client's; as it is where the client cannot read what the server sent with it. */
export const commandError = (error: Error): Error => {
  try {
    return convertToCommandError(error);
  } catch {
    return error;
  }
};
