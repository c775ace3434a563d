import { randomInt } from 'node:crypto';
import { v7 } from 'uuid';
import type { Clock, Ids } from './clock.ts';

// The real ones of what everything else is given: time and chance.

export const systemClock: Clock = { now: () => Date.now() };

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

export const systemIds: Ids = {
  uuid: () => v7(),
  secret: (length) => Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join(''),
};
