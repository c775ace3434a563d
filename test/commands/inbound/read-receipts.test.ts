import { expect } from 'chai';
import { createReadReceipts } from '../../../src/commands/inbound/read-receipts.ts';
import { ProviderUnreachable } from '../../../src/provider/provider.ts';
import { codeOf } from '../../support/spec.ts';

const context = { accountId: 'acc_1', requestId: 'r' };
const receipt = { messageId: 'wamid.1', typing: true };
const owner = { messageId: 'wamid.1', accountId: 'acc_1', phoneNumberId: '10' };

const open = (
  change: { inbound?: object | null; numbers?: string[]; markRead?: () => Promise<void> } = {},
) => {
  const { inbound = owner, numbers = ['9', '10'], markRead = async () => undefined } = change;
  const marked: unknown[] = [];
  const written: unknown[] = [];
  const receipts = createReadReceipts({
    writer: {
      // The other account has a message of the same id.
      load: async (_: unknown, id: string) => ({
        state: { inbound: id.startsWith('acc_1.') ? inbound : owner },
        revision: 0,
      }),
      async execute(_: unknown, ...what: unknown[]) {
        await new Promise(setImmediate);
        written.push(what);
      },
    } as never,
    lookups: {
      numbers: async () =>
        numbers.map((phoneNumberId) => ({
          phoneNumberId,
          wabaId: '20',
          accessToken: { sealed: true },
          messagesPerSecond: 80,
        })) as never,
    },
    provider: {
      async markRead({ phoneNumberId }: { phoneNumberId: string }, what: unknown) {
        await markRead();
        marked.push([phoneNumberId, what]);
      },
    } as never,
    secrets: { open: () => 'EAAG', messageRef: (id: string) => `ref of ${id}` } as never,
  });
  const refusal = () => codeOf(receipts.send(receipt, context));
  return { receipts, marked, written, refusal };
};

describe('a read receipt', () => {
  it('goes from the number of the message, and is recorded after it', async () => {
    const { receipts, marked, written } = open();
    await receipts.send(receipt, context);
    expect(marked).to.deep.equal([['10', receipt]]);
    expect(written).to.deep.equal([['acc_1.ref of wamid.1', { type: 'NoteRead', owner }, context]]);
  });

  it('is refused for the message of another account, or of nobody', async () => {
    const { refusal, marked } = open({ inbound: null });
    expect(await refusal()).to.equal('message.unknown');
    expect(await refusal()).to.equal('message.unknown');
    expect(marked).to.deep.equal([]);
  });

  it('is refused without the number, and not recorded where the provider has none of it', async () => {
    expect(await open({ numbers: ['9'] }).refusal()).to.equal('number.none');
    const away = open({ markRead: () => Promise.reject(new ProviderUnreachable('away')) });
    expect(await away.refusal()).to.equal('provider.failed');
    expect(away.written).to.deep.equal([]);
  });
});
