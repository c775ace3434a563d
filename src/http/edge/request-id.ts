import type { Ids } from '../../shared/clock.ts';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/** The caller's own id when it sent a sane one, else a fresh one. */
export const requestIdOf = (given: string | string[] | undefined, ids: Ids): string =>
  typeof given === 'string' && SANE.test(given) ? given : ids.uuid();
