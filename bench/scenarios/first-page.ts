import { type Browser, chromium } from 'playwright-core';
import { chromiumOptions } from '../../test/support/chromium.ts';
import { type Bench, type Scenario, startWaybill } from '../bench.ts';
import { bodyFor, call } from '../loads.ts';
import { ADMIN } from '../tenant.ts';

/** A network as the browser emulates it: each request waits so long for its answer. */
interface Network {
  name: string;
  latencyMs: number;
  downKbps: number;
  upKbps: number;
  goalMs?: number;
}

// Slow 4G of Lighthouse: as the network is, and as Lighthouse and the tools of developers emulate it,
// where a request waits for the handshakes of a connection, too, and a tenth of the rate is lost.
const networks: readonly Network[] = [
  { name: 'slow 4G', latencyMs: 150, downKbps: 1_638.4, upKbps: 750, goalMs: 1_500 },
  { name: 'slow 4G with handshakes', latencyMs: 562.5, downKbps: 1_474.56, upKbps: 675 },
];

const SENDS = 20;
const BYTES_PER_KBIT = 1_000 / 8;
const READY = '.tiles .stat-value';

interface Request {
  name: string;
  startMs: number;
  endMs: number;
  bytes: number;
}

interface Visit {
  readyMs: number;
  /** Until the figures were there, in the order of their start. */
  requests: readonly Request[];
}

/** In the page: keeps when the figures of the overview were first in the document. */
const watchReady = (selector: string) => {
  const page = globalThis as unknown as {
    document: { querySelector(text: string): unknown };
    MutationObserver: new (
      seen: () => void,
    ) => { observe(of: unknown, what: object): void; disconnect(): void };
    requestAnimationFrame(next: () => void): void;
    readyMs?: number;
  };
  const observer = new page.MutationObserver(() => {
    if (!page.document.querySelector(selector)) return;
    observer.disconnect();
    // Once it is painted, as near as a page can tell.
    page.requestAnimationFrame(() => {
      page.readyMs = performance.now();
    });
  });
  observer.observe(page.document, { childList: true, subtree: true });
};

/** Opens the console as one who is signed in, and has never been there: nothing is in the cache. */
const visit = async (
  browser: Browser,
  base: string,
  { path, network }: { path: string; network: Network },
): Promise<Visit> => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } });
  try {
    const first = await context.newPage();
    await first.goto(base + path);
    await first.locator(READY).first().waitFor();
    await first.close();
    const page = await context.newPage();
    const client = await context.newCDPSession(page);
    await client.send('Network.enable');
    await client.send('Network.clearBrowserCache');
    await client.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latencyMs,
      downloadThroughput: network.downKbps * BYTES_PER_KBIT,
      uploadThroughput: network.upKbps * BYTES_PER_KBIT,
    });
    await page.addInitScript(watchReady, READY);
    await page.goto(`${base}/console`, { waitUntil: 'commit' });
    await page.waitForFunction(() => 'readyMs' in globalThis);
    return await page.evaluate(() => {
      const { readyMs } = globalThis as unknown as { readyMs: number };
      const all = performance.getEntries() as unknown as {
        entryType: string;
        name: string;
        startTime: number;
        responseEnd: number;
        transferSize: number;
      }[];
      const entries = all.filter(({ entryType }) => /^(navigation|resource)$/.test(entryType));
      const requests = entries
        .filter(({ responseEnd }) => responseEnd > 0 && responseEnd <= readyMs)
        .map(({ name, startTime, responseEnd, transferSize }) => ({
          name: new URL(name).pathname,
          startMs: startTime,
          endMs: responseEnd,
          bytes: transferSize,
        }));
      return { readyMs, requests };
    });
  } finally {
    await context.close();
  }
};

const linkOf = async (url: string, headers: Record<string, string>, api: string) => {
  const made = await call<{ path: string }>(`${url}/api${api}/console-links`, headers, {
    method: 'POST',
    body: '{}',
  });
  return made.path;
};

const sayRequests = (bench: Bench, { requests }: Visit) => {
  for (const { name, startMs, endMs, bytes } of requests) {
    const when = `${startMs.toFixed(0).padStart(5)} to ${endMs.toFixed(0).padStart(5)} ms`;
    bench.say(`       ${when} ${String(bytes).padStart(7)} B  ${name}`);
  }
};

/** From the address to the figures of the overview, over a slow network and with an empty cache. */
export const firstPage: Scenario = {
  name: 'first-page',
  ids: ['B1'],
  about: 'the first page of the console, on a slow network',
  async run(bench) {
    const { waybill, tenant } = await startWaybill(bench);
    const { url } = waybill;
    for (let index = 0; index < SENDS; index += 1) {
      const sent = { method: 'POST', body: bodyFor(index) } as const;
      await call(`${url}/api/v1/notifications/send`, tenant.headers, sent);
    }
    const viewers = [
      { who: 'a shop', headers: tenant.headers, api: '/v1' },
      { who: 'an operator', headers: ADMIN, api: '/admin/v1' },
    ] as const;
    const browser = await chromium.launch(chromiumOptions());
    try {
      for (const network of networks) {
        for (const { who, headers, api } of viewers) {
          const visits: Visit[] = [];
          for (let round = 0; round < bench.rounds(5); round += 1) {
            const path = await linkOf(url, headers, api);
            visits.push(await visit(browser, url, { path, network }));
          }
          bench.row({
            id: 'B1',
            what: `first page of ${who}, ${network.name}`,
            values: visits.map(({ readyMs }) => readyMs),
            unit: ' ms',
            digits: 0,
            ...(network.goalMs !== undefined && { goal: { most: network.goalMs } }),
          });
          sayRequests(bench, visits.at(-1)!);
        }
      }
    } finally {
      await browser.close();
    }
  },
};
