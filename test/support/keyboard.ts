import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { untilTrue } from './until.ts';

// Works a page as somebody without a mouse does, who sees where the keyboard is: by Tab, Enter, Space,
// arrows and Escape alone.

/** Turns of a walk: each goes as far as the page has stops before the target, as far as can be counted. */
const TURNS_MAX = 30;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** What the functions that run in the page know of an element, and keep there. */
interface Place {
  ownerDocument: Kept;
  parentElement: Place | null;
  outerHTML: string;
  isConnected: boolean;
  tabIndex: number;
  disabled?: boolean;
  checkVisibility(options: object): boolean;
  compareDocumentPosition(other: Place): number;
  getBoundingClientRect(): Box;
}
interface Kept {
  activeElement: Place;
  body: Place;
  /** Where the keyboard was last. */
  stop?: Place;
  /** Stops that cannot be seen, or do not follow as the page is read. */
  faults?: string[];
  querySelectorAll(selector: string): Iterable<Place>;
  addEventListener(name: 'focusin', listener: (event: { target: Place }) => void): void;
}
declare const getComputedStyle: (one: Place) => { outlineStyle: string; outlineWidth: string };

/** Where the keyboard is, beside where it shall go, and what was wrong on the way; in the page. */
const stand = (target: Place) => {
  const { ownerDocument: page } = target;
  const PRECEDING = 2;
  const precedes = (one: Place, other: Place) =>
    (other.compareDocumentPosition(one) & PRECEDING) !== 0;
  const isRinged = (one: Place): boolean => {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    return outlineStyle !== 'none' && outlineWidth !== '0px';
  };
  if (!page.faults) {
    const faults: string[] = [];
    page.faults = faults;
    page.addEventListener('focusin', ({ target: at }) => {
      const name = at.outerHTML.slice(0, 160);
      if (![at, at.parentElement].some((one) => one && isRinged(one)))
        faults.push(`unseen: ${name}`);
      const { stop } = page;
      page.stop = at;
      if (!stop?.isConnected) return;
      const [first, second] = precedes(at, stop) ? [at, stop] : [stop, at];
      const [from, to] = [first.getBoundingClientRect(), second.getBoundingClientRect()];
      // What comes next stands below or to the right, as it is read.
      if (to.bottom <= from.top && to.left < from.right) faults.push(`out of order: ${name}`);
    });
  }
  const { activeElement: at, body } = page;
  const isBehind = precedes(target, at);
  const stops = [
    ...page.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]'),
  ].filter(
    (one) =>
      one.tabIndex >= 0 && !one.disabled && one.checkVisibility({ visibilityProperty: true }),
  );
  const [from, to] = isBehind ? [target, at] : [at, target];
  const between = stops.filter((one) => one !== at && precedes(from, one) && precedes(one, to));
  return {
    name: at.outerHTML.slice(0, 160),
    isThere: at === target,
    isLost: at === body,
    isBehind,
    away: between.length + 1,
    faults: page.faults.splice(0),
  };
};

export const keyboard = (page: Page) => {
  /** Nothing has the keyboard in a page that was opened just now. */
  let isFresh = true;
  const walkTo = async (target: Locator): Promise<void> => {
    await target.waitFor();
    const isKept = async () => isFresh || !(await target.evaluate(stand)).isLost;
    await untilTrue('the keyboard to be in the page', isKept);
    isFresh = false;
    await page.evaluate('delete document.stop');
    let key: 'Tab' | 'Shift+Tab' | undefined;
    for (let turns = 0; turns < TURNS_MAX; turns += 1) {
      const { isThere, isLost, isBehind, away, faults, name } = await target.evaluate(stand);
      expect(faults).to.deep.equal([]);
      if (key !== undefined) expect(isLost, `${key} loses the keyboard`).to.equal(false);
      if (isThere) return;
      const next = isBehind ? 'Shift+Tab' : 'Tab';
      expect(key ?? next, `${target} is reached, not passed at ${name}`).to.equal(next);
      key = next;
      await Promise.all(Array.from({ length: away }, () => page.keyboard.press(next)));
    }
    throw new Error(`${target} is not reached by ${key}`);
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
