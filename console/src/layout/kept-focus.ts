import { useEffect } from 'react';

/** What is not of the page, such as the entries of a menu, gives the focus back by itself. */
const PARTS = '#content, .side';

const STOPS = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';

const isInSight = (one: Element): boolean =>
  one.isConnected && one.checkVisibility({ visibilityProperty: true });

/**
 * Keeps the keyboard in the page when what it was on goes, such as a row that was deleted, or a link
 * whose page is left: on what stands in its place, else on the heading. The browser would begin at the top again.
 */
export const useKeptFocus = (): void => {
  useEffect(() => {
    let last: Element | null = null;
    let place: Element | null = null;
    const remember = ({ target }: FocusEvent) => {
      last = target instanceof Element && target.closest(PARTS) ? target : null;
      place = null;
    };
    const keep = () => {
      const { activeElement } = document;
      if (!last || isInSight(last) || (activeElement !== document.body && activeElement !== last)) {
        return;
      }
      const near = place && isInSight(place) && place.id !== 'content' ? place : null;
      const found =
        near?.querySelector(STOPS) ??
        near?.closest('[tabindex="0"]') ??
        document.querySelector('#content h1');
      if (found instanceof HTMLElement) found.focus({ preventScroll: true });
    };
    const observer = new MutationObserver((records) => {
      const gone = last;
      if (!gone || isInSight(gone)) return;
      const left = records.find(({ removedNodes }) =>
        [...removedNodes].some((node) => node.contains(gone)),
      );
      if (left?.target instanceof Element) place = left.target;
      // A dialog that closes gives the focus back first.
      requestAnimationFrame(() => requestAnimationFrame(keep));
    });
    const content = document.getElementById('content');
    if (content) observer.observe(content, { childList: true, subtree: true });
    document.addEventListener('focusin', remember);
    return () => {
      observer.disconnect();
      document.removeEventListener('focusin', remember);
    };
  }, []);
};
