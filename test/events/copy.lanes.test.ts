import { expect } from 'chai';
import fc from 'fast-check';
import { createLanes, laneOf } from '../../src/events/copy/lanes.ts';
import type { SourceEvent } from '../../src/events/copy/ports.ts';

const SPAN = 6;
const RUNNING = 3;

const eventOf = (stream: string, revision: number, accountId?: string): SourceEvent => ({
  ...{ position: 0, stream, revision, id: '', type: 'Any', version: 1, data: '{}' },
  meta: JSON.stringify({ at: '', requestId: '', ...(accountId && { accountId }) }),
});

const streams = [
  { name: 'account-a', of: ['a'] },
  { name: 'message-a1', of: ['a'] },
  { name: 'message-b1', of: ['b', undefined] },
  // A number that changes hands.
  { name: 'conversation-n.c', of: ['a', 'b', 'c'] },
  { name: 'request-c.1', of: ['c'] },
  { name: 'organisation-o', of: [undefined] },
];

const logs = fc
  .array(fc.tuple(fc.nat(streams.length - 1), fc.nat(2)), { maxLength: 60 })
  .map((picks) => {
    const ends = new Map<string, number>();
    return picks.map(([stream, account], index): SourceEvent => {
      const { name, of } = streams[stream]!;
      const revision = (ends.get(name) ?? -1) + 1;
      ends.set(name, revision);
      return {
        ...eventOf(name, revision, of[account % of.length]),
        position: index + 1,
      };
    });
  });

/** Events of which one must not overtake the other. */
const areTied = (one: SourceEvent, other: SourceEvent): boolean => {
  const [lane, otherLane] = [laneOf(one), laneOf(other)];
  const isEverybodys = lane === undefined || otherLane === undefined;
  return isEverybodys || lane === otherLane || one.stream === other.stream;
};

describe('lanes of a copy', () => {
  it('ties events to their account, and to everybody what may concern anybody', () => {
    expect(laneOf(eventOf('account-a', 1, 'a'))).to.equal('a');
    expect(laneOf(eventOf('message-wamid.1-2', 0, 'a'))).to.equal('a');
    expect(laneOf(eventOf('message-wamid.1', 0))).to.equal(undefined);
    expect(laneOf(eventOf('account-a', 0, 'a'))).to.equal(undefined);
    expect(laneOf(eventOf('phone-1', 3, 'a'))).to.equal(undefined);
  });

  it('append everything once, tied events in order, all others side by side', async () => {
    let sideBySide = 0;
    await fc.assert(
      fc.asyncProperty(logs, fc.array(fc.nat(20), { minLength: 40 }), async (log, picks) => {
        const begun: { run: readonly SourceEvent[]; end: () => void }[] = [];
        const underWay = new Set<SourceEvent>();
        const done: number[] = [];
        const lanes = createLanes({
          runningMax: RUNNING,
          spanMax: SPAN,
          append(run) {
            for (const event of run) {
              const oldest = Math.min(...[...underWay].map(({ position }) => position));
              if (underWay.size > 0) expect(event.position - oldest).to.be.below(SPAN);
              for (const other of underWay) expect(areTied(event, other)).to.equal(false);
              for (const other of log.slice(0, event.position - 1)) {
                const isAhead = done.includes(other.position) || run.includes(other);
                if (areTied(event, other)) expect(isAhead, 'what it is tied to').to.equal(true);
              }
            }
            expect(begun).to.have.length.below(RUNNING);
            const { promise, resolve } = Promise.withResolvers<void>();
            for (const event of run) underWay.add(event);
            sideBySide = Math.max(sideBySide, begun.length + 1);
            const end = () => {
              for (const event of run) {
                underWay.delete(event);
                done.push(event.position);
              }
              resolve();
            };
            begun.push({ run, end });
            return promise;
          },
        });
        let isPutting = true;
        const putting = (async () => {
          for (const event of log) await lanes.put(event);
          await lanes.idle();
        })().finally(() => {
          isPutting = false;
        });
        for (let turn = 0; isPutting; turn += 1) {
          const at = picks[turn % picks.length]! % Math.max(begun.length, 1);
          begun.splice(at, 1)[0]?.end();
          await new Promise(setImmediate);
        }
        await putting;
        expect(done.toSorted((a, b) => a - b)).to.deep.equal(log.map(({ position }) => position));
      }),
      { numRuns: 150 },
    );
    expect(sideBySide).to.equal(RUNNING);
  });

  it('wait for the oldest event before they run too far ahead of it', async () => {
    const begun: number[] = [];
    const slow = Promise.withResolvers<void>();
    const lanes = createLanes({
      runningMax: RUNNING,
      spanMax: SPAN,
      async append(run) {
        begun.push(...run.map(({ position }) => position));
        if (run[0]!.position === 1) await slow.promise;
      },
    });
    await lanes.put({ ...eventOf('message-a1', 0, 'a'), position: 1 });
    for (let position = 2; position <= SPAN; position += 1) {
      await lanes.put({ ...eventOf(`message-b${position}`, 0, 'b'), position });
    }
    const last = lanes.put({ ...eventOf('message-b9', 0, 'b'), position: SPAN + 1 });
    await new Promise(setImmediate);
    expect(begun).to.deep.equal([1, 2, 3, 4, 5, 6]);
    slow.resolve();
    await last;
    await lanes.idle();
    expect(begun.at(-1)).to.equal(SPAN + 1);
  });

  it('begin nothing more once an append has failed, and tell of it when all is still', async () => {
    const begun: string[] = [];
    const [slow, failing] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const lanes = createLanes({
      runningMax: 2,
      spanMax: 100,
      append([event]) {
        begun.push(event!.stream);
        return event!.stream === 'message-a1' ? failing.promise : slow.promise;
      },
    });
    const put = (stream: string, position: number, account: string) =>
      lanes.put({ ...eventOf(stream, 0, account), position });
    const reasonOf = (work: Promise<void>) =>
      work.then(
        () => 'done',
        (error: Error) => error.message,
      );
    await put('message-b1', 1, 'b');
    await put('message-a1', 2, 'a');
    await put('message-a2', 3, 'a');
    let isStill = false;
    const still = reasonOf(lanes.idle()).finally(() => {
      isStill = true;
    });
    failing.reject(new Error('refused'));
    await new Promise(setImmediate);
    expect(await reasonOf(put('message-c1', 4, 'c'))).to.equal('refused');
    expect(isStill).to.equal(false);
    slow.resolve();
    expect(await still).to.equal('refused');
    expect(begun).to.deep.equal(['message-b1', 'message-a1']);
  });
});
