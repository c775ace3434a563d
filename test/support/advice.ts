import { expect } from 'chai';
import type { Json } from './waybill.ts';

/** What a refusal says beside the fields of the contract. */
export interface Advice {
  hint: string;
  docUrl: string;
  /** On the provider's own code. */
  provider?: { hint: string; docUrl: string };
}

/** The rate limit of a key, and the daily bound of unpaid data: `error` alone (contract 7.3). */
const isBare = (status: number, body: Json): boolean => status === 429 && !('limit' in body);

const take = ({ hint, docUrl, ...rest }: Json): { said: Json; rest: Json } => {
  expect(hint, JSON.stringify(rest)).to.match(/^\S.{10,}\.$/s);
  expect(docUrl).to.match(/^\/docs\/errors#[\w.]+$/);
  return { said: { hint, docUrl }, rest };
};

/**
 * Takes the advice out of an answer's body, so that tests of endpoints compare the fields of the
 * contract. Every refusal has some; see test/http/errors.test.ts for the words.
 */
export const adviceIn = (status: number, body: Json): { body: Json; advice?: Advice } => {
  const isRefusal = status >= 400 && typeof body?.error !== 'undefined';
  // Of a fault nobody can say what to do.
  const isFault = status === 500 && body.hint === undefined;
  if (!isRefusal || isFault || isBare(status, body)) return { body };
  const { said, rest } = take(body);
  const { details } = rest;
  if (details?.hint === undefined) return { body: rest, advice: said };
  const provider = take(details);
  return {
    body: { ...rest, details: provider.rest },
    advice: { ...said, provider: provider.said },
  };
};
