import type { MediaKind } from '../../events/content.ts';

const MB = 1_048_576;

interface MediaType {
  kind: MediaKind;
  bytesMax: number;
}

/** The most bytes of any file. */
export const MEDIA_BYTES_MAX = 100 * MB;

const typesOf = (type: MediaType, ...names: readonly string[]): [string, MediaType][] =>
  names.map((name) => [name, type]);

const office = (name: string) => `application/vnd.openxmlformats-officedocument.${name}`;

/** The types that the provider takes, each with its limit. */
const mediaTypes: ReadonlyMap<string, MediaType> = new Map([
  ...typesOf({ kind: 'image', bytesMax: 5 * MB }, 'image/jpeg', 'image/png'),
  ...typesOf({ kind: 'sticker', bytesMax: 500 * 1024 }, 'image/webp'),
  ...typesOf({ kind: 'video', bytesMax: 16 * MB }, 'video/mp4', 'video/3gpp'),
  ...typesOf(
    { kind: 'audio', bytesMax: 16 * MB },
    'audio/aac',
    'audio/amr',
    'audio/mpeg',
    'audio/mp4',
    'audio/ogg',
  ),
  ...typesOf(
    { kind: 'document', bytesMax: MEDIA_BYTES_MAX },
    'text/plain',
    'application/pdf',
    'application/msword',
    'application/vnd.ms-excel',
    'application/vnd.ms-powerpoint',
    office('wordprocessingml.document'),
    office('spreadsheetml.sheet'),
    office('presentationml.presentation'),
  ),
]);

/** The type without its parameters: `audio/ogg; codecs=opus` is `audio/ogg`. */
const bareType = (mimeType: string): string => mimeType.split(';')[0]!.trim().toLowerCase();

/** What the provider takes of this type; undefined where it takes none. */
export const mediaTypeOf = (mimeType: string): MediaType | undefined =>
  mediaTypes.get(bareType(mimeType));

export const mediaTypeNames: readonly string[] = [...mediaTypes.keys()];
