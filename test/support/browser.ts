import { existsSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { expect } from 'chai';
import type { Context } from 'mocha';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { createSimulator, type Simulator } from '../../src/provider/simulator/simulator.ts';
import { chromiumOptions, hasChromium } from './chromium.ts';
import { useRealConnections } from './network.ts';
import { PATIENCE_MS, untilTrue } from './until.ts';
import {
  ADMIN_TOKEN,
  APP_SECRET,
  openTenant,
  orderShipped,
  startWaybill,
  type Tenant,
  type Waybill,
  type WaybillOptions,
} from './waybill.ts';

// A real browser on the console of a whole service, whose provider is the simulator.

const root = join(import.meta.dirname, '../..');
const isBuilt = existsSync(join(root, 'console/dist/index.html'));

export interface Stage {
  readonly waybill: Waybill;
  readonly simulator: Simulator;
  /** With a number, an approved catalog and 1,000 credits. */
  readonly tenant: Tenant;
  /** A page on which nobody is signed in. It is closed after the test. */
  page(options?: BrowserContextOptions): Promise<Page>;
  /** Opens the console on a page, signed in with the token. */
  signIn(page: Page, token: string, path?: string): Promise<void>;
  /** Opens the console, signed in with the token. The page is closed after the test. */
  open(token: string, options?: BrowserContextOptions & { path?: string }): Promise<Page>;
  /** Sends one `order_shipped`; resolves to the answer. */
  send(to?: string, change?: Record<string, unknown>): Promise<{ status: number; body: Sent }>;
  /** A status of 5xx that the test causes; any other one makes it fail. */
  expectStatus(status: number): void;
}

interface Sent {
  messageId: string;
}

const signedIn = async (waybill: Waybill, page: Page, token: string, path: string) => {
  const made = await waybill.call(
    'POST',
    token === ADMIN_TOKEN || token.startsWith('wb_adm_')
      ? '/admin/v1/console-links'
      : '/v1/console-links',
    { token },
  );
  const { hash } = new URL(made.body.path, waybill.url);
  await page.goto(`${waybill.url}/console${path}${hash}`);
  await page.locator('#content').waitFor();
};

/** What the page must not do: break, log an error, or ask another host. */
const watch = (page: Page, origin: string, faults: string[], expected: readonly number[]) => {
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // The browser itself logs each failed request; the page shows a refusal.
    const status = Number(/the server responded with a status of (\d+)/.exec(message.text())?.[1]);
    const isRefusal = (status >= 400 && status < 500) || expected.includes(status);
    if (message.type() === 'error' && !isRefusal) faults.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    const url = request.url();
    // A passkey belongs to the name of this machine, not to its address.
    const named = url.replace('//localhost:', '//127.0.0.1:');
    if (!named.startsWith(origin) && !/^(data|blob):/.test(url)) faults.push(`asked ${url}`);
  });
};

/** Where the catalog is approved, everything can be sent. */
const ready = async (waybill: Waybill, { apiKey: token }: Tenant) => {
  await waybill.call('POST', '/v1/notifications/templates/submit', { token, body: {} });
  await untilTrue('the catalog to be approved', async () => {
    const { body } = await waybill.call('GET', '/v1/notifications/events', { token });
    return body.ready === body.total;
  });
};

interface House {
  waybill: Waybill;
  simulator: Simulator;
  browser: Browser;
  close(): Promise<void>;
}

const openHouse = async (clock?: WaybillOptions['clock']): Promise<House> => {
  const simulator = createSimulator({ appSecret: APP_SECRET, ...(clock && { clock }) });
  const waybill = await startWaybill({
    providerUrl: await simulator.start(),
    forwardAllow: ['127.0.0.0/8'],
    topUp: 'mailto:money@words.example',
    bounds: { refusalsAfterMs: 20 },
    ...(clock && { clock }),
  });
  simulator.configure({ webhookUrl: `${waybill.url}/api/provider/webhook` });
  const browser = await chromium.launch(chromiumOptions());
  return {
    waybill,
    simulator,
    browser,
    async close() {
      await browser.close();
      await waybill.stop();
      await simulator.stop();
    },
  };
};

let shared: Promise<House> | undefined;

/** Opens the house that all files of a process share, or gives it; it is closed after the last file. */
const sharedHouse = ({ test }: Context): Promise<House> => {
  if (shared) return shared;
  const opening = openHouse();
  shared = opening;
  let root = test!.parent!;
  while (root.parent) root = root.parent;
  root.afterAll(async () => {
    shared = undefined;
    await (await opening).close();
  });
  return opening;
};

/**
 * A service, a simulator and a browser, the same for all files of a process, and a tenant for each;
 * with a clock of its own, all is the file's own. Without a browser the tests are pending; in CI they
 * must run.
 */
export const useConsole = ({ clock }: { clock?: WaybillOptions['clock'] } = {}): Stage => {
  const held = {} as House & { tenant: Tenant };
  // The service calls webhooks and the simulator as it would outside a test.
  useRealConnections();
  const faults: string[] = [];
  const expected: number[] = [];
  const opened: Page[] = [];

  before(async function () {
    if (!hasChromium || !isBuilt) {
      if (process.env.CI) throw new Error('CI needs Chromium and a built console: npm run console');
      this.skip();
    }
    Object.assign(held, await (clock ? openHouse(clock) : sharedHouse(this)));
    held.tenant = await openTenant(held.waybill, { credits: 1_000 });
    await ready(held.waybill, held.tenant);
  });
  afterEach(async () => {
    const found = faults.splice(0);
    expected.length = 0;
    for (const page of opened.splice(0)) await page.context().close();
    expect(found).to.deep.equal([]);
  });
  after(async () => {
    if (clock) await held.close?.();
  });

  const newPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await held.browser.newContext({
      viewport: { width: 1440, height: 900 },
      locale: 'en-US',
      reducedMotion: 'reduce',
      ...options,
    });
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    opened.push(page);
    watch(page, held.waybill.url, faults, expected);
    return page;
  };

  return {
    get waybill() {
      return held.waybill;
    },
    get simulator() {
      return held.simulator;
    },
    get tenant() {
      return held.tenant;
    },
    page: newPage,
    signIn: (page, token, path = '') => signedIn(held.waybill, page, token, path),
    async open(token, { path = '', ...options } = {}) {
      const page = await newPage(options);
      await signedIn(held.waybill, page, token, path);
      return page;
    },
    send: (to = '+919812345678', change = {}) =>
      held.waybill.call('POST', '/v1/notifications/send', {
        token: held.tenant.apiKey,
        body: orderShipped({ to, ...change }),
      }),
    expectStatus: (status) => void expected.push(status),
  };
};

/** Fails with what a screen reader or a keyboard would stumble over on this page, or eyes over its colours. */
export const mustBeAccessible = async (page: Page, rules?: ['color-contrast']): Promise<void> => {
  await page.evaluate(axe.source);
  const found = await page.evaluate(async (runOnly) => {
    const { violations } = await (
      globalThis as unknown as {
        axe: { run(options: object): Promise<{ violations: Violation[] }> };
      }
    ).axe.run(runOnly ? { runOnly } : {});
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  }, rules);
  expect(found, page.url()).to.deep.equal([]);
};

interface Violation {
  id: string;
  nodes: { html: string }[];
}

/** Whether the page is wider than the screen. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = (globalThis as unknown as { document: Doc }).document
      .documentElement;
    return scrollWidth - clientWidth;
  });

interface Doc {
  documentElement: { scrollWidth: number; clientWidth: number };
}
