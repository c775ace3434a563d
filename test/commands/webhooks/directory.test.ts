import { expect } from 'chai';
import { createDirectory, type Directory } from '../../../src/commands/webhooks/directory.ts';

const own = { endpointId: 'wh_1', accountId: 'acc_1' };
type OfEndpoint = Parameters<Directory['note']>[0];
const happened = (type: OfEndpoint['type'], data: object, position: string) =>
  ({ type, data: { ...own, ...data }, position }) as unknown as OfEndpoint;
const created = (topics: readonly string[], position = '5') =>
  happened('WebhookCreated', { topics }, position);
const idsOf = (found: readonly { endpointId: string }[]) => found.map((one) => one.endpointId);

describe('the directory of webhooks', () => {
  it('asks for no event of a topic that nobody asks for', () => {
    const directory = createDirectory();
    expect(directory.told()).to.deep.equal([]);
    directory.note(created(['message.received']));
    const some = directory.told();
    expect(some).to.deep.equal(['MessageReceived']);
    // Another endpoint with the same topics changes nothing: the log is not followed anew.
    const other = { endpointId: 'wh_2', topics: ['message.received'] };
    directory.note(happened('WebhookCreated', other, '6'));
    expect(directory.told()).to.equal(some);
    directory.note(happened('WebhookDeleted', {}, '7'));
    expect(directory.told()).to.equal(some);
    directory.note(happened('WebhookDisabled', other, '8'));
    expect(directory.told()).to.deep.equal([]);
  });

  it('gives an event to active endpoints that asked before it', () => {
    const directory = createDirectory();
    directory.note(created(['message.sent']));
    const of = (topic: string, position: string, accountId = 'acc_1') =>
      idsOf(directory.of(accountId, topic, position));
    expect(of('message.sent', '6')).to.deep.equal(['wh_1']);
    expect(of('message.sent', '5')).to.deep.equal([]);
    expect(of('message.read', '6')).to.deep.equal([]);
    expect(of('message.sent', '6', 'acc_2')).to.deep.equal([]);
    directory.note(happened('WebhookDisabled', {}, '7'));
    expect(of('message.sent', '8')).to.deep.equal([]);
    directory.note(happened('WebhookEnabled', {}, '9'));
    expect(of('message.sent', '8')).to.deep.equal([]);
    expect(of('message.sent', '91')).to.deep.equal(['wh_1']);
    directory.note(happened('WebhookChanged', { topics: ['message.read'] }, '92'));
    expect(of('message.sent', '93')).to.deep.equal([]);
    expect(of('message.read', '93')).to.deep.equal(['wh_1']);
  });
});
