import { expect } from 'chai';
import { createTransfers } from '../../../src/http/edge/transfers.ts';
import { createMetrics } from '../../../src/http/ops/metrics.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { aKey } from '../../support/edge.ts';

describe('Transfers of files', () => {
  const open = (totalMax?: number) => {
    const metrics = createMetrics({ ofProcess: false });
    const transfers = createTransfers(metrics, totalMax);
    const begin = (
      keyId: string,
      direction: 'upload' | 'download' = 'upload',
      accountId = `acc_of_${keyId}`,
    ) => {
      const over = Promise.withResolvers<boolean>();
      transfers.begin(direction, { key: aKey({ keyId, accountId }), written: () => over.promise });
      return over.resolve;
    };
    const lines = async () =>
      (await metrics.text()).split('\n').filter((line) => line.startsWith('waybill_media'));
    return { begin, lines };
  };
  const expectBusy = (begin: () => unknown) =>
    expect(begin)
      .to.throw(AppError)
      .that.deep.includes({ code: 'service.busy', details: { retryAfterSeconds: 1 } });

  it('are four of a key at a time, in both directions together', async () => {
    const { begin } = open();
    const [end] = ['a', 'a', 'a', 'a'].map((key, index) =>
      begin(key, index < 2 ? 'upload' : 'download'),
    );
    expectBusy(() => begin('a'));
    begin('b');
    end!(true);
    await Promise.resolve();
    begin('a');
    expectBusy(() => begin('a'));
  });

  it('are 16 of an account, however many keys it has, and leave the others theirs', async () => {
    const { begin } = open();
    const ends = Array.from({ length: 16 }, (_, index) => begin(`key_${index}`, 'upload', 'acc_1'));
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expectBusy(() => begin('key_17', 'download', 'acc_1'));
    }
    begin('other');
    ends[0]!(true);
    await Promise.resolve();
    begin('key_17', 'download', 'acc_1');
    expectBusy(() => begin('key_18', 'download', 'acc_1'));
  });

  it('are bounded over all keys', async () => {
    const { begin } = open(3);
    const end = begin('a');
    begin('b');
    begin('c');
    expectBusy(() => begin('d'));
    end(false);
    await Promise.resolve();
    begin('d');
    expectBusy(() => begin('a'));
  });

  it('are 64 over all keys', () => {
    const { begin } = open();
    for (let index = 0; index < 64; index += 1) begin(`key_${index}`);
    expectBusy(() => begin('one more'));
  });

  it('show in the metrics while they last, and those that were cut off', async () => {
    const { begin, lines } = open();
    const ends = [begin('a'), begin('a', 'download'), begin('b', 'download')];
    expect(await lines()).to.include.members([
      'waybill_media_transfers{direction="upload"} 1',
      'waybill_media_transfers{direction="download"} 2',
    ]);
    ends[0]!(true);
    ends[1]!(false);
    await Promise.resolve();
    expect(await lines()).to.include.members([
      'waybill_media_transfers{direction="upload"} 0',
      'waybill_media_transfers{direction="download"} 1',
      'waybill_media_cut_total{direction="download"} 1',
    ]);
  });
});
