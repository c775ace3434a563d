import type { ServerWritableStream } from '@grpc/grpc-js';
import { type Refusal, refusalOf } from './faults.ts';
import type { Kept, KeptLog } from './log.ts';
import { caughtUpMessage, checkpointMessage, confirmationMessage, eventBytes } from './wire.ts';

// biome-ignore lint/suspicious/noExplicitAny: the generated messages are the same in either place
export type ReadCall = ServerWritableStream<any, any>;

interface SubscriptionRequest {
  /** Undefined: from the start. */
  after: bigint | undefined;
  /** Names of streams that are wanted. */
  names: RegExp;
  /** Types of events that are wanted. */
  types: RegExp;
  /** So many events are looked at between two checkpoints. */
  checkpointEvery: number;
}

export interface Subscriptions {
  /** `heard` false: confirmed, but nothing ever comes. */
  open(call: ReadCall, request: SubscriptionRequest, heard: boolean): void;
  count(): number;
  /** Events that were sent to all. */
  sent(): number;
  /** Ends all that are open. */
  drop(refusal: Exclude<Refusal, 'none'>): void;
  /** Nothing more comes to those that are open. */
  silence(): void;
}

/** Events of a backlog that the server reads at once. */
const PAGE = 32;

interface Open {
  call: ReadCall;
  heard: boolean;
  close: () => void;
}

export const createSubscriptions = (log: KeptLog): Subscriptions => {
  const all = new Set<Open>();
  let sent = 0;

  const open: Subscriptions['open'] = (call, { after, names, types, checkpointEvery }, heard) => {
    let considered = 0;
    let unwanted = 0;
    const subscription: Open = { call, heard, close: () => undefined };
    const consider = (event: Kept, isOld = false): void => {
      if (!subscription.heard || (after !== undefined && event.position <= after)) return;
      // Of a backlog it is where a page begins, whose first event is not passed yet.
      if (isOld && unwanted === PAGE) call.write(checkpointMessage(event.position, 0n));
      if (unwanted === PAGE) unwanted = 0;
      const isWanted = names.test(event.stream) && types.test(event.type);
      unwanted = isWanted ? 0 : unwanted + 1;
      if (isWanted) {
        sent += 1;
        call.write(eventBytes(event));
      }
      considered += 1;
      if (!isOld && considered % checkpointEvery === 0) {
        call.write(checkpointMessage(event.position));
      }
    };
    call.write(confirmationMessage());
    for (const event of log.all()) consider(event, true);
    if (heard) call.write(caughtUpMessage());
    const unwatch = log.watch((event) => consider(event));
    subscription.close = () => {
      unwatch();
      all.delete(subscription);
    };
    call.on('cancelled', subscription.close);
    all.add(subscription);
  };

  return {
    open,
    count: () => all.size,
    sent: () => sent,
    drop: (refusal) => {
      for (const subscription of [...all]) {
        subscription.close();
        subscription.call.emit('error', refusalOf(refusal));
      }
    },
    silence: () => {
      for (const subscription of all) subscription.heard = false;
    },
  };
};
