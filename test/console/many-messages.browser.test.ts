import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useConsole } from '../support/browser.ts';
import type { Json } from '../support/waybill.ts';

const MESSAGES = 20_000;
const ROWS_READ = 1_000;
/** In the document at one time; those in sight, and some beside. */
const ROWS_SHOWN_MAX = 80;
const MEMORY_BYTES_MAX = 80_000_000;
const BATCH = 10_000;

const numbered = (at: number): string => String(at).padStart(6, '0');

describe('An account with 20,000 messages @alone', () => {
  const stage = useConsole();

  /** Copies a message, as the fold left it, beside it in the read model: each one older. */
  before(async () => {
    expect((await stage.send()).status).to.equal(200);
    const { waybill, tenant } = stage;
    await waybill.settled();
    const { views } = waybill;
    const collection = (await views.live()).messages!;
    const [kept] = await views.find<Json>(collection, {
      where: { accountId: tenant.accountId },
      order: { field: 'order', direction: 'descending' },
      limit: 1,
    });
    const { document, position } = kept!;
    const copyOf = (at: number) => {
      const id = `copy-${numbered(at)}`;
      const copy = { ...document, messageRef: id, metaMessageId: `wamid.${id}` };
      const order = `0${numbered(MESSAGES - at)}`;
      return { id, position, document: { ...copy, order, clientReference: `order-${at}` } };
    };
    for (let from = 0; from < MESSAGES; from += BATCH) {
      const writes = Array.from({ length: BATCH }, (_, at) => copyOf(from + at));
      const [at] = (await views.checkpoints())[collection]!;
      await views.commit([{ collection, partitions: [0], writes, from: at!, to: at! }]);
    }
  });

  const rowsRead = async (page: Page): Promise<number> => {
    const last = page.locator('tbody tr[aria-rowindex]').last();
    return Number(await last.getAttribute('aria-rowindex'));
  };
  const rowsShown = (page: Page) => page.locator('tbody tr').count();
  const heap = async (page: Page): Promise<number> => {
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    return (await session.send('Runtime.getHeapUsage')).usedSize;
  };
  const toTheEnd = (page: Page) =>
    page.getByRole('region', { name: 'Messages' }).evaluate((box: Json) => {
      box.scrollTop = box.scrollHeight;
    });

  it('scrolls by cursors, with few rows in the document, and finds one of them', async () => {
    const page = await stage.open(stage.tenant.apiKey, { path: '/messages' });
    await page.locator('tbody tr').first().waitFor();
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().includes('/v1/messages?')) reads += 1;
    });
    let most = 0;
    while ((await rowsRead(page)) < ROWS_READ) {
      await toTheEnd(page);
      most = Math.max(most, await rowsShown(page));
    }
    expect(most).to.be.below(ROWS_SHOWN_MAX);
    expect(await heap(page)).to.be.below(MEMORY_BYTES_MAX);
    expect(reads).to.be.within(ROWS_READ / 100 - 2, ROWS_READ / 100 + 5);

    await page.getByRole('searchbox').fill('order-17777');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: /order-17777/ }).waitFor();
  });
});
