import { type Bucket, newBucket, takeToken } from '../graph/token-bucket.ts';
import { type GraphAnswer, graphError } from './answers.ts';
import { remember, type SimulatedNumber, type World } from './world.ts';

const PAIR_PER_MINUTE = 10;
const MINUTE_MS = 60_000;

/** The provider's rate limits. */
export const createLimits = ({ settings, clock }: World) => {
  const buckets = new Map<string, Bucket>();
  const pairs = new Map<string, number[]>();

  const isTooFast = ({ phoneNumberId, messagesPerSecond }: SimulatedNumber): boolean => {
    if (messagesPerSecond === null) return false;
    const bucket = buckets.get(phoneNumberId) ?? newBucket();
    remember(buckets, phoneNumberId, bucket);
    return takeToken(bucket, messagesPerSecond, clock.now(), clock.now()) === null;
  };

  const isPairTooFast = ({ phoneNumberId }: SimulatedNumber, to: string): boolean => {
    if (!settings.pairLimit) return false;
    const key = `${phoneNumberId} ${to}`;
    const recent = (pairs.get(key) ?? []).filter((at) => at > clock.now() - MINUTE_MS);
    remember(pairs, key, [...recent, clock.now()]);
    return recent.length >= PAIR_PER_MINUTE;
  };

  return (number: SimulatedNumber, to: string): GraphAnswer | undefined => {
    if (isTooFast(number)) return graphError(130429, { details: 'Message failed to send.' });
    return isPairTooFast(number, to) ? graphError(131056) : undefined;
  };
};
