import { expect } from 'chai';
import nock from 'nock';
import { createGraphProvider } from '../../../src/provider/graph/graph.ts';
import type { SendOutcome } from '../../../src/provider/provider.ts';
import { fixedClock } from '../../support/ambient.ts';
import { logSink, outgoing, sender } from '../../support/provider.ts';
import { until } from '../../support/until.ts';
import { GRAPH, useGraphProvider } from './stage.ts';

const MESSAGES = '/v25.0/100000000000001/messages';

describe('GraphProvider.send', () => {
  const log = logSink();
  const provider = useGraphProvider({ random: () => 0, logger: log });
  beforeEach(() => {
    log.lines.length = 0;
  });

  const post = () => nock(GRAPH).post(MESSAGES);
  const send = () => provider.send(sender(), outgoing());

  it('accepts an answer, whether it names the recipient or not', async () => {
    for (const recipientWaId of ['447700900123', null]) {
      const contacts = recipientWaId && [{ input: `+${recipientWaId}`, wa_id: recipientWaId }];
      post().reply(200, { messages: [{ id: 'wamid.OUT1' }], ...(contacts && { contacts }) });
      const accepted = { kind: 'accepted', messageId: 'wamid.OUT1', recipientWaId };
      expect(await send()).to.deep.equal(accepted);
    }
  });

  for (const word of ['held_for_quality_assessment', 'paused']) {
    it(`shows a template's message that the provider keeps as ${word}`, async () => {
      post().reply(200, { messages: [{ id: 'wamid.OUT1', message_status: word }] });
      expect(await send()).to.include({ kind: 'accepted', providerStatus: word });
    });
  }

  it('shows no state of a message that the provider accepted as usual, or in no words', async () => {
    for (const message_status of ['accepted', '', 'x'.repeat(65), null]) {
      post().reply(200, { messages: [{ id: 'wamid.OUT1', message_status }] });
      expect(await send()).not.to.have.property('providerStatus');
    }
  });

  const unreadable: [string, number, string][] = [
    ['an HTML page', 502, '<html>Bad Gateway</html>'],
    ['no id', 200, '{"messages":[]}'],
    ['an id that is an object', 200, '{"messages":[{"id":{}}]}'],
  ];
  for (const [what, status, body] of unreadable) {
    it(`takes ${what} with status ${status} for a refusal`, async () => {
      post().reply(status, body, { 'content-type': 'application/json' });
      const outcome = (await send()) as Extract<SendOutcome, { kind: 'refused' }>;
      expect(outcome.refusal).to.include({ code: null, httpStatus: status });
      expect(outcome.refusal.message).to.include(String(status));
      expect(log.lines).to.have.length(1);
    });
  }

  it('uses the slot of the number that was waited for, and none beside it', async () => {
    // A call waits for half of its time at most: here for no second slot in a second.
    const terms = { version: 'v25.0', timeoutMs: 1_900, clock: fixedClock() };
    const hasty = createGraphProvider({ baseUrl: GRAPH, ...terms });
    const slow = sender({ messagesPerSecond: 1 });
    const { signal } = new AbortController();
    const slot = await hasty.takeSlot(slow, { withinMs: 0, signal });
    post().reply(200, { messages: [{ id: 'wamid.OUT1' }] });
    expect(await hasty.send(slow, outgoing(), slot)).to.include({ kind: 'accepted' });
    expect(await hasty.send(slow, outgoing())).to.include({ kind: 'refused' });
    await hasty.close();
  });

  it('refuses a token that cannot be a header, without throwing', async () => {
    const outcome = await provider.send(sender({ accessToken: 'two\nlines' }), outgoing());
    expect(outcome.kind).to.equal('unreachable');
  });

  it('calls below the path of its base address', async () => {
    const terms = { version: 'v25.0', timeoutMs: 60_000 };
    const nested = createGraphProvider({ baseUrl: `${GRAPH}/proxy/graph/`, ...terms });
    const accepted = { messages: [{ id: 'wamid.9' }] };
    nock(GRAPH).post(`/proxy/graph${MESSAGES}`).reply(200, accepted);
    expect(await nested.send(sender(), outgoing())).to.include({ messageId: 'wamid.9' });
    await nested.close();
  });

  it('has 256 calls under way at a time', async () => {
    const held = Promise.withResolvers<void>();
    let asked = 0;
    nock(GRAPH)
      .persist()
      .post(/messages$/)
      .reply(200, async () => {
        asked += 1;
        await held.promise;
        return { messages: [{ id: 'wamid.OUT1' }] };
      });
    const all = Array.from({ length: 300 }, (_, index) =>
      provider.send(sender({ phoneNumberId: String(index) }), outgoing()),
    );
    await until('the calls are under way', () => asked >= 256);
    await new Promise(setImmediate);
    expect(asked).to.equal(256);
    held.resolve();
    for (const { kind } of await Promise.all(all)) expect(kind).to.equal('accepted');
  });
});
