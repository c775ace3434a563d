import type { Page } from 'playwright-core';

// Goes through the console as far as links, tabs and rows lead.

const OPENS_WITHIN = { timeout: 1_000 } as const;

/** What a page is of, so that one account stands for all of them. */
const kindOf = (path: string): string =>
  new URL(path, 'http://console').pathname
    .split('/')
    .map((part, at) => (at > 2 && !/^(month|deliveries)$/.test(part) ? ':id' : part))
    .join('/');

/** Nothing is being read. */
const settled = async (page: Page): Promise<void> => {
  await page.locator('h1').waitFor();
  await page.locator('main :is(.spinner, .skeleton)').first().waitFor({ state: 'detached' });
};

const linksOf = (page: Page): Promise<string[]> =>
  page
    .locator('a[href^="/console"]')
    .evaluateAll((all) => all.map((one) => String(one.getAttribute('href'))));

/**
 * Calls `look` on each kind of page, with each of its tabs. Begins at `from`, which says whose pages
 * are looked at.
 */
export const walkConsole = async (
  page: Page,
  from: readonly string[],
  look: (name: string) => Promise<void>,
): Promise<void> => {
  const queue: string[] = [];
  const known = new Set<string>();
  const found = (paths: readonly string[]) => {
    for (const path of paths) {
      if (known.has(kindOf(path))) continue;
      known.add(kindOf(path));
      queue.push(path);
    }
  };
  /** Where the first row of a list leads. */
  const openRow = async () => {
    const row = page.locator('tr.opens').first();
    if ((await row.count()) === 0) return;
    const before = page.url();
    await row.press('Enter');
    const isElsewhere = (url: URL) => url.href !== before;
    // Some rows open beside their list.
    const isOpened = await page.waitForURL(isElsewhere, OPENS_WITHIN).then(
      () => true,
      () => false,
    );
    if (!isOpened) return;
    const { pathname, search } = new URL(page.url());
    found([pathname + search]);
    await page.goBack();
    await settled(page);
  };
  const visit = async (name: string) => {
    found(await linksOf(page));
    await openRow();
    await look(name);
  };
  await settled(page);
  found(from.map((path) => `/console${path}`));
  found(await linksOf(page));
  for (const path of queue) {
    await page.goto(new URL(path, page.url()).href);
    await settled(page);
    const tabs = page.getByRole('tab');
    const count = await tabs.count();
    if (count === 0) await visit(kindOf(path));
    for (let at = 0; at < count; at += 1) {
      const tab = tabs.nth(at);
      const title = await tab.textContent();
      await tab.click();
      await settled(page);
      await visit(`${kindOf(path)} ${title}`);
    }
  }
};
