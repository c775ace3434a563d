import gossip from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossipPb from '@eventstore/db-client/generated/gossip_pb.js';
import streams from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ServiceDefinition, sendUnaryData } from '@grpc/grpc-js';
import { handleBatchAppend } from './appends.ts';
import { type DoubleState, handleRead } from './handlers.ts';
import { createKeptLog, type KeptLog } from './log.ts';
import { createSubscriptions } from './subscriptions.ts';
import { grpc, orBytes } from './wire.ts';

/** A server that speaks EventStoreDB's gRPC to its true client, and fails as it is told. */
export interface EventStoreDouble extends DoubleState {
  port: number;
  url: string;
  close(): Promise<void>;
}

interface DoubleOptions {
  /** Shared by the members of one cluster; its own unless given. */
  log?: KeptLog;
  /** A free one unless given. */
  port?: number;
  /** Ports of all members; the first leads. Its own unless given. */
  members?: () => readonly number[];
  /** Without it connections are not encrypted; the client then sends no credentials. */
  tls?: { key: string; certificate: string };
}

type Answer = sendUnaryData<InstanceType<typeof gossipPb.ClusterInfo>>;

const memberOf = (port: number, leads: boolean) => {
  const endPoint = new gossipPb.EndPoint();
  endPoint.setAddress('127.0.0.1');
  endPoint.setPort(port);
  const { LEADER, FOLLOWER } = gossipPb.MemberInfo.VNodeState;
  const member = new gossipPb.MemberInfo();
  member.setHttpEndPoint(endPoint);
  member.setIsAlive(true);
  member.setTimeStamp('0');
  member.setState(leads ? LEADER : FOLLOWER);
  return member;
};

const handleGossip = (members: () => readonly number[]) => (_: unknown, answer: Answer) => {
  const cluster = new gossipPb.ClusterInfo();
  cluster.setMembersList(members().map((port, i) => memberOf(port, i === 0)));
  answer(null, cluster);
};

const credentialsOf = (tls: DoubleOptions['tls']) =>
  tls === undefined
    ? grpc.ServerCredentials.createInsecure()
    : grpc.ServerCredentials.createSsl(null, [
        { private_key: Buffer.from(tls.key), cert_chain: Buffer.from(tls.certificate) },
      ]);

const listen = (
  server: InstanceType<typeof grpc.Server>,
  { port = 0, tls }: DoubleOptions,
): Promise<number> =>
  new Promise((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${port}`, credentialsOf(tls), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });

export const startEventStoreDouble = async (
  options: DoubleOptions = {},
): Promise<EventStoreDouble> => {
  const log = options.log ?? createKeptLog();
  const state: DoubleState = {
    log,
    subscriptions: createSubscriptions(log),
    faults: { appends: [], reads: [], subscriptions: [] },
    delayMs: 0,
    credentials: undefined,
    leaderPort: undefined,
    appendStreams: new Set(),
    counts: { appends: 0, appendsOver: 0, appendStreams: 0, reads: 0, readsCancelled: 0 },
  };
  const server = new grpc.Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
  const { read, batchAppend } = streams.StreamsService;
  // The other methods of the service are of no use to the adapter: they answer UNIMPLEMENTED.
  const methods = {
    read: { ...read, responseSerialize: orBytes(read.responseSerialize) },
    batchAppend,
  };
  server.addService(methods as unknown as ServiceDefinition, {
    read: handleRead(state),
    batchAppend: handleBatchAppend(state),
  });
  let port = 0;
  server.addService(gossip.GossipService as unknown as ServiceDefinition, {
    read: handleGossip(options.members ?? (() => [port])),
  });
  port = await listen(server, options);
  return Object.assign(state, {
    port,
    url: `esdb://127.0.0.1:${port}?tls=${options.tls !== undefined}`,
    close: async () => server.forceShutdown(),
  });
};
