import type { Readable } from 'node:stream';
import { type MediaFact, MediaUploaded } from '../../events/media.ts';
import { inAccount } from '../../events/streams.ts';
import type { Provider, ProviderMedia } from '../../provider/provider.ts';
import { MEDIA_BYTES_MAX, mediaTypeNames, mediaTypeOf } from '../../provider/rules/media-types.ts';
import { AppError } from '../../shared/errors.ts';
import type { Secrets } from '../../shared/secrets.ts';
import type { FreeWrites } from '../account/free-writes.ts';
import type { CommandContext, Decider } from '../core/decider.ts';
import type { Writer } from '../core/execute.ts';
import type { Lookups } from '../core/lookups.ts';
import type { Download } from '../core/outbound.ts';
import { providerFailed } from '../numbers/numbers.ts';
import { findConfiguredNumber, missingNumberMessage, senderOf } from '../sending/outgoing.ts';

type Upload = MediaFact['data'];

/** An uploaded file; the provider gives each id once. */
export const mediaDecider: Decider<{ uploaded: boolean }, Upload, MediaFact> = {
  category: 'media',
  initial: { uploaded: false },
  evolve: () => ({ uploaded: true }),
  decide: (upload, { uploaded }) => (uploaded ? [] : [MediaUploaded.of(upload)]),
};

/** A file on its way in. */
interface IncomingFile {
  content: AsyncIterable<Buffer>;
  mimeType: string;
  filename: string;
}

/** A file of an account at the provider. */
interface OwnFile {
  accountId: string;
  mediaId: string;
  phoneNumberId: string;
}

interface Caller extends CommandContext {
  accountId: string;
  keyId: string;
  /** Fires when the caller disconnects. */
  signal: AbortSignal;
}

const gone = () =>
  new AppError(
    'resource.unknown',
    "Media not found: the provider no longer has this file. It keeps a customer's file for 7 days and an upload for 30",
  );

const unsupported = (mimeType: string) =>
  new AppError(
    'request.unsupported_type',
    `The provider takes no file of type ${mimeType.slice(0, 100)}; it takes ${mediaTypeNames.join(', ')}`,
  );

const tooLarge = (bytesMax: number) =>
  new AppError(
    'request.too_large',
    `The file is larger than ${bytesMax} bytes, the provider's limit of its type`,
  );

/** Passes the chunks on, counts them, and throws beyond the limit or without any. */
async function* bounded(
  content: AsyncIterable<Buffer>,
  bytesMax: number,
  count: { bytes: number },
) {
  for await (const chunk of content) {
    count.bytes += chunk.length;
    if (count.bytes > bytesMax) throw tooLarge(bytesMax);
    yield chunk;
  }
  if (count.bytes === 0) throw new AppError('request.malformed', 'The file is empty');
}

/** Files that accounts upload, and that customers send. */
export const createMedia = (deps: {
  writer: Writer;
  lookups: Pick<Lookups, 'numbers'>;
  provider: Pick<Provider, 'uploadMedia' | 'readMedia' | 'removeMedia'>;
  secrets: Secrets;
  freeWrites: Pick<FreeWrites, 'run'>;
  download: Download;
}) => {
  const { writer, lookups, provider, secrets, freeWrites, download } = deps;
  const senderFor = async (accountId: string, phoneNumberId: string | undefined) => {
    const number = await findConfiguredNumber(lookups, accountId, phoneNumberId);
    if (!number) throw new AppError('number.none', missingNumberMessage(phoneNumberId));
    return senderOf(number, secrets);
  };

  return {
    /** Streams a file to the provider; no more than a few chunks of it are in memory. */
    async upload(
      file: IncomingFile,
      asked: string | undefined,
      { keyId, signal, ...context }: Caller,
    ) {
      const { accountId } = context;
      const type = mediaTypeOf(file.mimeType);
      if (!type) throw unsupported(file.mimeType);
      const sender = await senderFor(accountId, asked);
      // Refuses before the file is read. The bound is not held while it is, which may take minutes.
      await freeWrites.run(accountId, async () => undefined);
      const count = { bytes: 0 };
      const content = bounded(file.content, type.bytesMax, count);
      const { mimeType, filename } = file;
      const { mediaId } = await provider
        .uploadMedia(sender, { content, mimeType, filename }, signal)
        .catch(providerFailed);
      const { phoneNumberId } = sender;
      const { bytes } = count;
      const upload = { mediaId, accountId, phoneNumberId, keyId, mimeType, bytes };
      await freeWrites.run(accountId, () =>
        writer.execute(mediaDecider, inAccount(accountId, mediaId), upload, context),
      );
      return { id: mediaId, phoneNumberId, mimeType, bytes, kind: type.kind };
    },

    /** What the provider says of a file. */
    async describe(file: OwnFile): Promise<ProviderMedia> {
      const sender = await senderFor(file.accountId, file.phoneNumberId);
      const found = await provider.readMedia(sender, file.mediaId).catch(providerFailed);
      if (!found) throw gone();
      return found;
    },

    /** Removes a file at the provider. */
    async remove(file: OwnFile): Promise<void> {
      const sender = await senderFor(file.accountId, file.phoneNumberId);
      if (!(await provider.removeMedia(sender, file.mediaId).catch(providerFailed))) throw gone();
    },

    /** Opens a file at the provider. The provider's address of it is used here and never shown. */
    async open(
      file: OwnFile,
      signal: AbortSignal,
    ): Promise<{ content: Readable; mimeType: string | null; bytes: number | null }> {
      const sender = await senderFor(file.accountId, file.phoneNumberId);
      const found = await provider.readMedia(sender, file.mediaId).catch(providerFailed);
      if (!found) throw gone();
      const headers = { authorization: `Bearer ${sender.accessToken}` };
      const got = await download({ url: found.url, headers, bytesMax: MEDIA_BYTES_MAX, signal });
      if (got.kind === 'failed') {
        throw new AppError('provider.failed', `The file could not be read: ${got.reason}`);
      }
      return { content: got.content, mimeType: found.mimeType, bytes: got.bytes };
    },
  };
};

export type Media = ReturnType<typeof createMedia>;
