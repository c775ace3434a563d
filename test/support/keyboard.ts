import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';

// Works a page as somebody without a mouse does, who sees where the keyboard is: by Tab, Enter, Space,
// arrows and Escape alone.

/** Stops of a walk; a page with more between two places needs a shorter way. */
const STOPS_MAX = 150;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** What the functions that run in the page know of an element. */
interface Place {
  ownerDocument: { activeElement: Place; body: Place; stop?: Place };
  parentElement: Place | null;
  outerHTML: string;
  isConnected: boolean;
  compareDocumentPosition(other: Place): number;
  getBoundingClientRect(): Box;
}
declare const getComputedStyle: (one: Place) => { outlineStyle: string; outlineWidth: string };

/** Where the keyboard is, beside where it shall go; in the page. */
const stand = (target: Place) => {
  const { ownerDocument: page } = target;
  const { activeElement: at, body } = page;
  const PRECEDING = 2;
  const ringed = (one: Place): boolean => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && outlineWidth !== '0px';
  };
  const around = [at, at.parentElement].filter((one) => one !== null);
  const before = page.stop?.isConnected ? page.stop : undefined;
  const isForward = before && (before.compareDocumentPosition(at) & PRECEDING) === 0;
  const [first, second] = isForward === false ? [at, before] : [before, at];
  page.stop = at;
  const [from, to] = [first?.getBoundingClientRect(), second?.getBoundingClientRect()];
  return {
    name: at.outerHTML.slice(0, 160),
    isThere: at === target,
    isLost: at === body,
    isSeen: at === body || around.some(ringed),
    isBehind: (at.compareDocumentPosition(target) & PRECEDING) !== 0,
    // What comes next stands below or to the right, as it is read.
    isInOrder: !from || !to || to.bottom > from.top || to.left >= from.right,
  };
};

export const keyboard = (page: Page) => {
  /** Nothing has the keyboard in a page that was opened just now. */
  let isFresh = true;
  const walkTo = async (target: Locator): Promise<void> => {
    await target.waitFor();
    const isKept = 'document.activeElement !== document.body';
    if (!isFresh) await page.waitForFunction(isKept, undefined, { polling: 50 });
    isFresh = false;
    await page.evaluate('delete document.stop');
    let key: 'Tab' | 'Shift+Tab' | undefined;
    for (let stops = 0; stops < STOPS_MAX; stops += 1) {
      const { isThere, isLost, isSeen, isBehind, isInOrder, name } = await target.evaluate(stand);
      if (key !== undefined) expect(isLost, `${key} loses the keyboard`).to.equal(false);
      expect(isSeen, `the keyboard is seen at ${name}`).to.equal(true);
      expect(isInOrder, `${name} follows as it is read`).to.equal(true);
      if (isThere) return;
      const next = isBehind ? 'Shift+Tab' : 'Tab';
      expect(key ?? next, `${target} is reached, not passed at ${name}`).to.equal(next);
      key = next;
      await page.keyboard.press(key);
    }
    throw new Error(`${target} is more than ${STOPS_MAX} stops away`);
  };
  const press = async (target: Locator, ...keys: string[]): Promise<void> => {
    await walkTo(target);
    for (const key of keys.length === 0 ? ['Enter'] : keys) await page.keyboard.press(key);
  };
  /** Text, or the option of a list that begins with it. */
  const type = async (target: Locator, text: string): Promise<void> => {
    await walkTo(target);
    await page.keyboard.type(text);
  };
  return {
    press,
    type,
    /** Into the one box at the top. */
    async find(text: string): Promise<void> {
      await type(page.getByRole('searchbox', { name: 'Find a customer, an order' }), text);
      await page.keyboard.press('Enter');
    },
    async takeFile(target: Locator): Promise<string> {
      const coming = page.waitForEvent('download');
      await press(target);
      return readFileSync(await (await coming).path(), 'utf8');
    },
    /** Closes what is open; the keyboard is then where it was opened. */
    async leave(opener: Locator): Promise<void> {
      await page.keyboard.press('Escape');
      const isBack = async () => (await opener.evaluate(stand)).isThere;
      expect(await isBack(), `${opener} has the keyboard again`).to.equal(true);
    },
    /** After a page was opened anew. */
    begin(): void {
      isFresh = true;
    },
  };
};
