import { openDirectory } from './directory.ts';
import type { Place } from './place.ts';

/** `s3://<bucket>/<folder>` is a bucket, everything else a directory. */
export const openPlace = async (place: string): Promise<Place> => {
  if (!place.startsWith('s3://')) return openDirectory(place);
  const { openBucket } = await import('./bucket.ts');
  return openBucket(place);
};
