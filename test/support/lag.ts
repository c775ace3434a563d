/** The longest lag of a projection's partitions in the text of `/metrics`, in seconds; NaN without any. */
export const lagIn = (text: string, projection: string): number => {
  const line = new RegExp(
    `^waybill_projection_lag_seconds\\{projection="${projection}",partition="\\d+"\\} (\\S+)$`,
    'gm',
  );
  const lags = [...text.matchAll(line)].map(([, seconds]) => Number(seconds));
  return lags.length === 0 ? Number.NaN : Math.max(...lags);
};
