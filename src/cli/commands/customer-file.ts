import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { mediaTypeNames, mediaTypeOf } from '../../provider/rules/media-types.ts';
import { CliError, codeOf, usageError } from '../program/failure.ts';

/** A control call of the simulator takes 1 MB, and base64 needs 4 bytes for 3. */
const FILE_BYTES_MAX = 700_000;

/** A file as the simulator's customer sends it. */
export const readCustomerFile = async (file: string, mimeType: string | undefined) => {
  const kind = mimeType === undefined ? undefined : mediaTypeOf(mimeType)?.kind;
  if (kind === undefined) {
    throw usageError(
      `Give the type of the file with --type, as one of ${mediaTypeNames.join(', ')}`,
    );
  }
  const content = await readFile(file).catch((error: unknown) => {
    throw new CliError(`${file} cannot be read: ${codeOf(error)}`, 1, error);
  });
  if (content.length > FILE_BYTES_MAX) {
    throw new CliError(`${file} is larger than ${FILE_BYTES_MAX} bytes`);
  }
  const name = kind === 'document' && { filename: basename(file) };
  return { kind, mimeType, content: content.toString('base64'), ...name };
};
