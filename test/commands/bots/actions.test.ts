import { expect } from 'chai';
import { createActions } from '../../../src/commands/bots/actions.ts';
import { StoreUnavailable } from '../../../src/events/store.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { contact } from './graphs.ts';
import { owner, runIn } from './runs.ts';

const run = runIn({ kind: 'sending', attempts: 0 });
const context = { requestId: 'r', cause: 'c' };
const text = { type: 'text', body: 'Hi', previewUrl: false } as const;
const notification = {
  type: 'notification',
  name: 'order_shipped',
  language: 'en_US',
  authentication: false,
  parameters: ['A-77', 'AWB1', 'https://shop.example/t/1'],
} as const;
const sending = (content: object, event: string | null = null) =>
  ({ kind: 'send', nodeId: 'n', attempts: 0, message: { content, event } }) as never;
const calling = {
  kind: 'request',
  nodeId: 'n',
  request: { method: 'GET', url: 'https://shop.example/', headers: {}, timeoutMs: 5000 },
} as never;

/** Actions that note what they ask of others. */
const open = (change: {
  mayAct?: boolean;
  send?: () => Promise<unknown>;
  request?: () => Promise<unknown>;
}) => {
  const { mayAct = true, send = async () => ({ messageId: 'wamid.1' }) } = change;
  const { request = async () => ({ kind: 'answered', status: 204, body: 'x' }) } = change;
  const asked: unknown[] = [];
  const faults: unknown[] = [];
  const sender = {
    send: (...what: unknown[]) => send().finally(() => asked.push(what)),
  } as never;
  const act = createActions({
    passThrough: sender,
    notifications: sender,
    outbound: { request: (what: unknown) => request().finally(() => asked.push(what)) } as never,
    mayAct: async (accountId) => mayAct && accountId === owner.accountId,
    onFault: (error) => faults.push((error as Error).message),
  });
  return { act, asked, faults };
};

describe('what a bot does', () => {
  const on = { ...context, accountId: 'acc_1' };
  const from = { to: contact.waId, phoneNumberId: '10', source: 'bot', reason: 'bot:bot_1' };

  it('sends from its number, to its contact, for its own reason', async () => {
    const { act, asked } = open({});
    const done = await act(run, owner, sending(text), context);
    expect(done).to.deep.equal({ type: 'sent', messageId: 'wamid.1' });
    expect(asked).to.deep.equal([[{ ...from, content: text }, on]]);
  });

  it('sends a notification by its variables, in the order of the event', async () => {
    const { act, asked } = open({});
    await act(run, owner, sending(notification, 'order_shipped'), context);
    const [orderId, awbCode, trackingLink] = notification.parameters;
    const variables = { orderId, awbCode, trackingLink };
    expect(asked).to.deep.equal([[{ ...from, event: 'order_shipped', variables }, on]]);
    const unknown = open({});
    await unknown.act(run, owner, sending(notification), context);
    expect(unknown.asked).to.deep.equal([[{ ...from, event: '', variables: {} }, on]]);
  });

  it('sends to the user id of a contact without a number', async () => {
    const { act, asked } = open({});
    const hidden = { ...run, contact: { ...contact, waId: null, userId: 'IN.123' } };
    await act(hidden, owner, sending(text), context);
    expect(asked).to.have.nested.property('[0][0].to', 'IN.123');
  });

  it('sends nothing while the organisation is suspended', async () => {
    const suspended = open({ mayAct: false });
    const detail = 'the organisation is suspended';
    const send = await suspended.act(run, owner, sending(text), context);
    expect(send).to.deep.equal({ type: 'not_sent', detail });
    const call = await suspended.act(run, owner, calling, context);
    expect(call).to.deep.equal({ type: 'no_response', detail });
    expect(suspended.asked).to.deep.equal([]);
  });

  const failures: [Error, object, string[]][] = [
    [new AppError('provider.unknown_outcome', 'who knows'), { type: 'unknown' }, []],
    [new AppError('service.unavailable', 'later'), { type: 'unknown' }, []],
    [new AppError('number.none', 'no'), { type: 'not_sent', detail: 'no' }, []],
    [
      new Error('broken'),
      { type: 'not_sent', detail: 'the service could not send it' },
      ['broken'],
    ],
  ];
  for (const [error, result, told] of failures) {
    it(`says what became of a send that fails with ${error.message}`, async () => {
      const { act, faults } = open({ send: () => Promise.reject(error) });
      expect(await act(run, owner, sending(text), context)).to.deep.equal(result);
      expect(faults).to.deep.equal(told);
    });
  }

  it('calls, and reads no more of the answer than a variable may hold', async () => {
    const { act, asked } = open({});
    const done = await act(run, owner, calling, context);
    expect(done).to.deep.equal({ type: 'response', status: 204, body: 'x' });
    const [{ bytesMax, ...rest }] = asked as [{ bytesMax: number }];
    expect(rest).to.deep.equal((calling as { request: object }).request);
    // Characters of 4 bytes, and one more, so that an answer that is too long is seen to be so.
    expect(bytesMax).to.equal(65_540);
    const silent = open({ request: async () => ({ kind: 'failed', reason: 'timeout' }) });
    const none = await silent.act(run, owner, calling, context);
    expect(none).to.deep.equal({ type: 'no_response', detail: 'timeout' });
  });

  it('row 63: leaves to another try what a store that is unavailable kept from beginning', async () => {
    const away = new StoreUnavailable('away');
    const { act, faults } = open({
      send: () => Promise.reject(away),
      request: () => Promise.reject(away),
    });
    for (const next of [sending(text), calling]) {
      expect(await act(run, owner, next, context).catch((thrown) => thrown)).to.equal(away);
    }
    expect(faults).to.deep.equal([]);
  });

  it('says that it could not call, and tells why', async () => {
    const { act, faults } = open({ request: () => Promise.reject(new Error('broken')) });
    const detail = 'the service could not call it';
    const done = await act(run, owner, calling, context);
    expect(done).to.deep.equal({ type: 'no_response', detail });
    expect(faults).to.deep.equal(['broken']);
  });
});
