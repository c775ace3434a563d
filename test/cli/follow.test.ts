import { expect } from 'chai';
import type { Api } from '../../src/cli/api/api.ts';
import { ApiRefusal } from '../../src/cli/api/api-error.ts';
import { followMessages } from '../../src/cli/api/follow.ts';
import type { Row } from '../../src/cli/output/format.ts';

const message = (id: string, status: string | null = 'sent'): Row => ({ id, status });
const refusal = (status: number) =>
  new ApiRefusal(`Refused ${status}`, { status, headers: {}, body: {} });

describe('following messages', () => {
  /** What is yielded while the answers last; each answer is the rows of one look, newest first. */
  const follow = async (answers: (readonly Row[] | Error)[], earlier = 10, hasMore = false) => {
    const end = new AbortController();
    const notes: string[] = [];
    let looks = 0;
    const get = async () => {
      const answer = answers[looks];
      looks += 1;
      if (looks === answers.length) end.abort();
      if (answer instanceof Error) throw answer;
      return { messages: answer, nextCursor: hasMore ? 'more' : null };
    };
    const api = { get } as unknown as Api;
    const note = (text: string) => notes.push(text);
    const seen: string[] = [];
    const following = { earlier, signal: end.signal, note, busyMs: 1 };
    for await (const { id, status } of followMessages(api, following)) seen.push(`${id} ${status}`);
    return { seen, notes, looks };
  };

  it('yields the last ones first, then what is new or changed, oldest first', async () => {
    const { seen } = await follow(
      [
        [message('3'), message('2'), message('1')],
        [message('4'), message('3', 'read'), message('2'), message('1')],
        [message('5'), message('4'), message('3', 'read')],
      ],
      2,
    );
    expect(seen).to.deep.equal(['2 sent', '3 sent', '3 read', '4 sent', '5 sent']);
  });

  it('goes on after a limit of the rate or an outage, and says so', async () => {
    const { seen, notes } = await follow([
      [message('1')],
      refusal(429),
      refusal(503),
      [message('2'), message('1')],
    ]);
    expect(seen).to.deep.equal(['1 sent', '2 sent']);
    expect(notes).to.deep.equal([
      'Refused 429; asking again in 1 s',
      'Refused 503; asking again in 1 s',
      'The service answers again.',
    ]);
  });

  it('ends with a refusal that stays', async () => {
    const refused = await follow([[message('1')], refusal(401), []]).catch((error) => error);
    expect(refused).to.be.instanceOf(ApiRefusal).and.include({ status: 401 });
  });

  it('reads on until a message that it knows, and no further than ten pages', async () => {
    // One page before, ten of the second look, and none that would be asked for after these.
    const pages = Array.from({ length: 11 }, (_, at) => [message(String(99 - at))]);
    const { seen, notes, looks } = await follow(pages, 10, true);
    expect(looks).to.equal(11);
    expect(seen).to.have.length(11);
    expect(notes).to.deep.equal(['More than 1000 messages at once: the older ones are left out']);
  });
});
