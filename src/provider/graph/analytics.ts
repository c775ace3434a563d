import { ProviderUnreachable, type ProviderVolume, type Sender } from '../provider.ts';
import { asArray, asDigits, asInteger, asName, asRecord, asText, type Json } from '../shape.ts';
import type { Reply } from './client.ts';
import { bodyOf, type Manage } from './manage.ts';

interface Stretch {
  from: number;
  to: number;
}

const DAY_S = 24 * 60 * 60;
/** What one call asks for at most. */
const STRETCH_S = 31 * DAY_S;

const fieldsFor = ({ from, to }: Stretch): string =>
  [
    `pricing_analytics.start(${from}).end(${to}).granularity(DAILY)`,
    'dimensions(COUNTRY,PHONE,PRICING_CATEGORY,PRICING_TYPE)',
    'metric_types(COST,VOLUME)',
  ].join('.');

/** A success without JSON is longer than answers may be. */
const isTooLong = (reply: Reply): boolean =>
  reply.kind === 'refused' && reply.refusal.code === null && reply.refusal.httpStatus === 200;

const pointsIn = (body: Json): Json[] =>
  asArray(asRecord(body.pricing_analytics).data).flatMap((row) =>
    asArray(asRecord(row).data_points).map(asRecord),
  );

const readPoint = (point: Json): ProviderVolume => {
  const volume = asInteger(point.volume);
  if (volume === null || volume < 0) {
    throw new ProviderUnreachable('The analytics of the provider have a point without a volume');
  }
  const cost = asText(point.cost);
  return {
    phoneNumber: asDigits(point.phone_number),
    countryCode: asName(point.country) ?? '',
    category: asName(point.pricing_category) ?? '',
    type: asName(point.pricing_type) ?? '',
    volume,
    cost: cost === null || Number.isNaN(Number(cost)) ? null : Number(cost),
  };
};

/** Sums points that differ in their days only. */
const createSum = () => {
  const sums = new Map<string, ProviderVolume>();
  return {
    add(point: ProviderVolume): void {
      const { phoneNumber, countryCode, category, type } = point;
      const key = JSON.stringify([phoneNumber, countryCode, category, type]);
      const sum = sums.get(key);
      if (!sum) {
        sums.set(key, point);
        return;
      }
      sum.volume += point.volume;
      if (point.cost !== null) sum.cost = (sum.cost ?? 0) + point.cost;
    },
    list: () => [...sums.values()],
  };
};

/**
 * The volumes of a business account. Asks for a month at once, and for the halves of what is longer
 * than an answer may be.
 */
export const readVolumes = async (
  manage: Manage,
  sender: Sender,
  { from, to }: Stretch,
): Promise<ProviderVolume[]> => {
  const sum = createSum();
  const path = encodeURIComponent(sender.wabaId);
  const read = async (stretch: Stretch): Promise<void> => {
    const reply = await manage.get(sender, path, { fields: fieldsFor(stretch) });
    const days = Math.ceil((stretch.to - stretch.from) / DAY_S);
    if (isTooLong(reply) && days > 1) {
      const middle = stretch.from + Math.floor(days / 2) * DAY_S;
      await read({ from: stretch.from, to: middle });
      return read({ from: middle, to: stretch.to });
    }
    for (const point of pointsIn(bodyOf(reply))) sum.add(readPoint(point));
  };
  for (let start = from; start < to; start += STRETCH_S) {
    await read({ from: start, to: Math.min(start + STRETCH_S, to) });
  }
  return sum.list();
};
