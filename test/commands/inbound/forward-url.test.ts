import { expect } from 'chai';
import { createForwardUrls } from '../../../src/commands/inbound/forward-url.ts';

const context = { requestId: 'r', accountId: 'acc_1' };
const open = () => {
  const executed: unknown[] = [];
  const urls = createForwardUrls({
    writer: {
      async execute(_: unknown, id: string, command: unknown, on: unknown) {
        executed.push([id, command, on]);
      },
    } as never,
    outbound: { problemOf: async (url) => (url.startsWith('https:') ? null : 'must be https') },
  });
  return { urls, executed };
};
const command = { type: 'SetWebhook', phoneNumberId: '10', accountId: 'acc_1' };

describe('where a number forwards to', () => {
  it('is a URL that may be called, or nowhere', async () => {
    const { urls, executed } = open();
    await urls.set('10', 'https://shop.example/', context);
    await urls.set('10', null, context);
    expect(executed).to.deep.equal([
      ['10', { ...command, webhookUrl: 'https://shop.example/' }, context],
      ['10', { ...command, webhookUrl: null }, context],
    ]);
  });

  it('is refused with the reason where it may not be called', async () => {
    const { urls, executed } = open();
    const error = await urls.set('10', 'http://shop.example/', context).catch((thrown) => thrown);
    expect(error.code).to.equal('request.invalid');
    expect(error.details.fieldErrors).to.deep.equal({ webhookUrl: ['must be https'] });
    expect(executed).to.deep.equal([]);
  });
});
