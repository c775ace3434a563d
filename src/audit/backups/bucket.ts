import { createWriteStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type { Place } from './place.ts';

/** Of an upload: 10,000 parts at most, so 640 GB. One is held in memory. */
const PART_BYTES = 64 * 1024 ** 2;

/** Sends a file in parts, which the bucket puts together when all are there. */
const upload = async (
  client: S3Client,
  target: { Bucket: string; Key: string },
  file: string,
): Promise<void> => {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  const { size } = await stat(file);
  const source = await open(file);
  try {
    const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
    for (let at = 0; at < size || Parts.length === 0; at += PART_BYTES) {
      const Body = Buffer.alloc(Math.min(PART_BYTES, size - at));
      await source.read(Body, 0, Body.length, at);
      const PartNumber = Parts.length + 1;
      const part = { ...target, UploadId, PartNumber, Body };
      const { ETag } = await client.send(new UploadPartCommand(part));
      Parts.push({ ETag, PartNumber });
    }
    const whole = { ...target, UploadId, MultipartUpload: { Parts } };
    await client.send(new CompleteMultipartUploadCommand(whole));
  } catch (error) {
    await client
      .send(new AbortMultipartUploadCommand({ ...target, UploadId }))
      .catch(() => undefined);
    throw error;
  } finally {
    await source.close();
  }
};

/**
 * A folder of a bucket. Region, credentials and the address of another service than AWS come from where
 * the SDK finds them: AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_S3, roles.
 */
export const openBucket = (url: string): Place => {
  const { hostname: Bucket, pathname } = new URL(url);
  const folder = pathname.replace(/^\/+|\/+$/g, '');
  const Prefix = folder === '' ? '' : `${folder}/`;
  // Services other than AWS have no host for each bucket.
  const client = new S3Client({ forcePathStyle: true });
  const at = (name: string) => ({ Bucket, Key: Prefix + name });
  return {
    async list() {
      const names: string[] = [];
      let ContinuationToken: string | undefined;
      do {
        const page = await client.send(
          new ListObjectsV2Command({ Bucket, Prefix, ContinuationToken }),
        );
        names.push(...(page.Contents ?? []).map(({ Key }) => Key!.slice(Prefix.length)));
        ContinuationToken = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (ContinuationToken !== undefined);
      return names;
    },
    put: (name, file) => upload(client, at(name), file),
    async get(name, file) {
      const { Body } = await client.send(new GetObjectCommand(at(name)));
      await pipeline(Body as Readable, createWriteStream(file, { mode: 0o600 }));
    },
    async read(name) {
      const { Body } = await client.send(new GetObjectCommand(at(name)));
      return Body!.transformToString();
    },
    async remove(name) {
      await client.send(new DeleteObjectCommand(at(name)));
    },
    close: async () => client.destroy(),
  };
};
