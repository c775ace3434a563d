import type { Ids } from '../../shared/clock.ts';
import { looksLikeNumber } from '../../shared/log-masks.ts';

const SANE = /^[A-Za-z0-9._-]{1,128}$/;

/**
 * The caller's own id when it sent a sane one, else a fresh one. Events and log lines keep it in clear,
 * so an id with a telephone number in it is not taken.
 */
export const requestIdOf = (given: string | string[] | undefined, ids: Ids): string =>
  typeof given === 'string' && SANE.test(given) && !looksLikeNumber(given) ? given : ids.uuid();
