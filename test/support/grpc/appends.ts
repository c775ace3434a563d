import type pb from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { type AppendFault, refusalDetails, refusalOf } from './faults.ts';
import { type DoubleState, soon, turnedAway } from './handlers.ts';
import { appendedMessage, expectedOf, nameOf, proposedOf, refusedMessage } from './wire.ts';

type AppendRequest = InstanceType<typeof pb.BatchAppendReq>;
type AppendOptions = InstanceType<typeof pb.BatchAppendReq.Options>;
type AppendCall = ServerDuplexStream<AppendRequest, InstanceType<typeof pb.BatchAppendResp>>;

/** Appends over one stream of a connection, each answered on its own. */
export const handleBatchAppend =
  (state: DoubleState) =>
  (call: AppendCall): void => {
    let isOver = false;
    const fail = (refusal: Error): void => {
      if (!isOver) call.emit('error', refusal);
      isOver = true;
    };
    const done = (request: AppendRequest, { keep = true, answer }: AppendFault): void => {
      const id = request.getCorrelationId()?.getString() ?? '';
      const options = request.getOptions() as AppendOptions;
      const stream = nameOf(options.getStreamIdentifier());
      const events = request.getProposedMessagesList().map(proposedOf);
      const verdict = keep ? state.log.append(stream, expectedOf(options), events) : undefined;
      state.counts.appendsOver += 1;
      if (isOver || answer === 'none') return;
      if (answer === 'wrong') call.write(refusedMessage(id, 'WrongExpectedVersion'));
      else if (answer !== undefined && answer !== 'no-position') {
        const details = refusalDetails[answer];
        if (details) call.write(refusedMessage(id, details));
        else fail(refusalOf(answer));
      } else if (!verdict) call.write(refusedMessage(id, 'Unknown'));
      else if ('wrong' in verdict) call.write(refusedMessage(id, 'WrongExpectedVersion'));
      else call.write(appendedMessage(id, verdict.last, answer !== 'no-position'));
    };

    const end = (): void => {
      isOver = true;
      call.end();
    };
    state.counts.appendStreams += 1;
    state.appendStreams.add(end);
    call.on('close', () => state.appendStreams.delete(end));
    const refusal = turnedAway(state, call.metadata);
    if (refusal) fail(refusal);
    call.on('cancelled', () => {
      isOver = true;
    });
    call.on('end', end);
    call.on('data', (request: AppendRequest) => {
      // Another server may lead by now.
      const isRefused = turnedAway(state, call.metadata);
      if (isRefused) fail(isRefused);
      if (isOver) return;
      state.counts.appends += 1;
      const fault = state.faults.appends.shift() ?? {};
      const answer = () => soon(fault.delayMs ?? state.delayMs, () => done(request, fault));
      if (fault.after) fault.after.then(answer);
      else answer();
    });
  };
