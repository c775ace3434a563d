import type { MediaKind } from '../../events/content.ts';

/** A file as a customer sends it; its content is in base64. */
export interface CustomerFile {
  kind: string;
  mimeType: string;
  content: string;
  caption?: string;
  filename?: string;
}

const text = (content: string): string => Buffer.from(content).toString('base64');

/** A short file of each kind. */
export const sampleFiles: Readonly<Record<MediaKind, CustomerFile>> = {
  image: {
    kind: 'image',
    mimeType: 'image/png',
    content:
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    caption: 'This is how it arrived',
  },
  sticker: {
    kind: 'sticker',
    mimeType: 'image/webp',
    content: 'UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==',
  },
  video: {
    kind: 'video',
    mimeType: 'video/mp4',
    content: text('\0\0\0\u0018ftypisom\0\0\u0002\0isommp42\0\0\0\bfree'),
  },
  audio: {
    kind: 'audio',
    mimeType: 'audio/ogg; codecs=opus',
    content: text(`OggS\0\u0002${'\0'.repeat(21)}`),
  },
  document: {
    kind: 'document',
    mimeType: 'application/pdf',
    content: text('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
    filename: 'receipt.pdf',
  },
};
