import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { collectionOf, type Reference, VARIABLES } from '../../../clients/postman/collection.ts';
import { generatedCollection } from '../../../clients/postman/generate.ts';

const root = join(import.meta.dirname, '../../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

describe('the Postman collection', () => {
  const reference = JSON.parse(read('openapi.json')) as Reference;
  const collection = collectionOf(reference);
  const requests = collection.item.flatMap(({ item }) => item);

  it('is that of the reference; `npm run openapi` writes it', () => {
    const isCurrent =
      read('clients/postman/waybill.postman_collection.json') === generatedCollection();
    expect(isCurrent, 'the collection is old: run npm run openapi').to.equal(true);
  });

  it('has one request for each operation, with the credential that the operation needs', () => {
    const operations = Object.entries(reference.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => {
        const token = path.startsWith('/admin/') ? '{{adminToken}}' : 'that of the collection';
        return `${method.toUpperCase()} ${path} ${token}`;
      }),
    );
    const made = requests.map(({ request }) => {
      const path = request.url.path.map((word) => word.replace(/^:(.*)/, '{$1}')).join('/');
      const token = request.auth?.bearer[0]?.value ?? 'that of the collection';
      return `${request.method} /${path} ${token}`;
    });
    expect(made).to.have.members(operations);
    expect(collection.auth.bearer[0]!.value).to.equal('{{apiKey}}');
  });

  it('fills in what a request must have, and names only variables that it declares', () => {
    for (const { name, request } of requests) {
      const { query = [], variable = [], path } = request.url;
      const needed = path.filter((word) => word.startsWith(':')).map((word) => word.slice(1));
      const filled = variable.map(({ key }) => key);
      expect(filled, name).to.deep.equal(needed);
      for (const { key, value } of [...query.filter((one) => !('disabled' in one)), ...variable]) {
        expect(value, `${name}: ${key}`).to.not.equal('');
      }
    }
    const named = [...JSON.stringify(collection).matchAll(/\{\{([a-zA-Z]+)\}\}/g)].map(
      ([, one]) => one,
    );
    expect([...new Set(named)].sort()).to.deep.equal(Object.keys(VARIABLES).sort());
  });

  it('sends the first example of a body', () => {
    const send = requests.find(({ request }) => request.url.raw.endsWith('/notifications/send'));
    const { raw } = send!.request.body as { raw: string };
    expect(JSON.parse(raw)).to.include({ to: '+919812345678', event: 'order_shipped' });
  });
});
