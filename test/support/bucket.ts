import { buffer } from 'node:stream/consumers';
import { startServer } from './server.ts';

// The part of S3 that backups need, after AWS' reference: none of the registry's servers is maintained.

interface Upload {
  key: string;
  parts: Map<number, Buffer>;
}

const xml = (name: string, body: string) =>
  `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${body}</${name}>`;

/** A bucket of any name. Lists two names on a page. Refuses requests without a signature of these credentials. */
export const startBucket = async () => {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Upload>();
  /** Fails further requests with this method and a key that fits. */
  const broken: { method: string; key: RegExp }[] = [];
  const { url: endpoint, close } = await startServer(async (request, response) => {
    const { method = '', headers } = request;
    const url = new URL(request.url ?? '/', 'http://bucket');
    const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    const key = `${bucket}/${rest.join('/')}`;
    const query = url.searchParams;
    const body = await buffer(request);
    const answer = (status: number, text: string | Buffer = '', more = {}) =>
      response.writeHead(status, { 'content-type': 'application/xml', ...more }).end(text);
    const isSigned = /^AWS4-HMAC-SHA256 Credential=waybill\//.test(headers.authorization ?? '');
    if (!isSigned) return answer(403, xml('Error', '<Code>AccessDenied</Code>'));
    if (broken.some((one) => one.method === method && one.key.test(key))) {
      return answer(400, xml('Error', '<Code>Broken</Code><Message>broken on purpose</Message>'));
    }
    const upload = uploads.get(query.get('uploadId') ?? '');
    if (method === 'POST' && query.has('uploads')) {
      const id = `upload-${uploads.size}`;
      uploads.set(id, { key, parts: new Map() });
      return answer(200, xml('InitiateMultipartUploadResult', `<UploadId>${id}</UploadId>`));
    }
    if (method === 'PUT' && upload) {
      const number = Number(query.get('partNumber'));
      upload.parts.set(number, body);
      return answer(200, '', { etag: `"${number}"` });
    }
    if (method === 'POST' && upload) {
      const named = [...String(body).matchAll(/<PartNumber>(\d+)<\/PartNumber>/g)];
      const parts = named.map(([, number]) => upload.parts.get(Number(number))!);
      objects.set(upload.key, Buffer.concat(parts));
      return answer(200, xml('CompleteMultipartUploadResult', `<Key>${key}</Key>`));
    }
    if (method === 'GET' && query.get('list-type') === '2') {
      const prefix = `${bucket}/${query.get('prefix') ?? ''}`;
      const after = query.get('continuation-token') ?? '';
      const names = [...objects.keys()].sort().filter((one) => one.startsWith(prefix));
      const left = names.filter((one) => one > after);
      const page = left.slice(0, 2);
      const isMore = left.length > page.length;
      const rows = page.map(
        (one) => `<Contents><Key>${one.slice(bucket.length + 1)}</Key></Contents>`,
      );
      const next = isMore ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
      return answer(
        200,
        xml('ListBucketResult', `<IsTruncated>${isMore}</IsTruncated>${rows.join('')}${next}`),
      );
    }
    if (method === 'GET') {
      const found = objects.get(key);
      if (!found) return answer(404, xml('Error', '<Code>NoSuchKey</Code>'));
      return answer(200, found, { 'content-type': 'application/octet-stream' });
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return answer(204);
    }
    return answer(501);
  });
  return {
    objects,
    broken,
    /** What the SDK reads of its environment. */
    env: {
      AWS_ENDPOINT_URL_S3: endpoint,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'waybill',
      AWS_SECRET_ACCESS_KEY: 'secret',
    },
    close,
  };
};
