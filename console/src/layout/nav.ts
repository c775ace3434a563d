import type { Session } from '../session/api.ts';
import { hasScope } from '../session/rights.ts';
import type { IconName } from '../ui/icon.tsx';

/** An entry of the side bar. */
export interface NavEntry {
  to: string;
  label: string;
  /** Further pages that need what this one needs. */
  also?: readonly string[];
  icon?: IconName;
  /** Entries of one group stand together, in the order of `groups`. */
  group: (typeof groups)[number];
  /** Who sees it; everybody when absent. */
  for?: Session['kind'];
  /** The scope that a key needs for it, or one of these. */
  scope?: string | readonly string[];
  /** Whether only somebody who signed in with a name sees it, or an administrator. */
  isForPeople?: true;
}

export const groups = ['Now', 'Messages', 'Money', 'Set-up', 'Operations'] as const;

/** The entries that the session may open. */
export const visibleTo = (entries: readonly NavEntry[], session: Session): readonly NavEntry[] =>
  entries.filter(({ for: kind, scope, isForPeople }) => {
    if (kind !== undefined && kind !== session.kind) return false;
    if (isForPeople && session.kind === 'key' && !session.person) return false;
    if (scope === undefined || session.kind !== 'key') return true;
    return [scope].flat().some((one) => hasScope(session, one));
  });

const partOf = (path: string): string => path.split('/')[1] ?? '';

/** Whether the session may open the page: one below an entry of the side bar needs what that needs. */
export const isOpenTo = (entries: readonly NavEntry[], session: Session, path: string): boolean => {
  const own = entries.filter(({ to, also = [] }) =>
    [to, ...also].some((one) => partOf(one) === partOf(path)),
  );
  return own.length === 0 || visibleTo(own, session).length > 0;
};
