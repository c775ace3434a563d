import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { describedRoutes, openApiDocument } from '../../../openapi/document.ts';
import { operationIdOf, templateOf } from '../../../openapi/names.ts';
import { referencePage } from '../../../src/http/reference/page.ts';
import { clientSample } from '../../../src/http/reference/samples.ts';
import { problemsOf } from '../../support/compiler.ts';
import { temporaryFolder } from '../../support/folder.ts';

interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: { name: string; in: string; required: boolean; example?: unknown }[];
  requestBody?: { content: Record<string, { examples?: Record<string, { value: unknown }> }> };
  responses: Record<string, { content?: Record<string, { example?: unknown }> }>;
  'x-codeSamples'?: { source: string }[];
}

interface Reference {
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
}

const root = join(import.meta.dirname, '../../..');
const routes = describedRoutes();
const operationsOf = ({ paths }: Reference) =>
  routes.map((route) => {
    const operation = paths[templateOf(route.path)]![route.method.toLowerCase()]!;
    return { route, operation, id: operationIdOf(route) };
  });
const reference = openApiDocument(routes) as unknown as Reference;
const operations = operationsOf(reference);
/** The document in the page, and how it is drawn. */
const partsAt = (place: Parameters<typeof referencePage>[2]) => {
  // The page writes into it.
  const fresh = structuredClone(reference) as Reference & { servers: unknown };
  const html = referencePage(fresh, '/s.js', place);
  const [, settings, document] =
    /<script id="api-reference"[^>]* data-configuration="([^"]*)">([^<]*)<\/script>/.exec(html)!;
  return {
    settings: JSON.parse(settings!.replaceAll('&quot;', '"')),
    document: JSON.parse(document!) as Reference,
  };
};
const demo = { apiKey: 'wb_live_demo', adminToken: 'wb_adm_demo' };

describe('the page of the reference @long', () => {
  it('has an example of each request, and of each parameter that it needs', () => {
    for (const { operation, route, id } of operations) {
      const [media] = Object.values(operation.requestBody?.content ?? {});
      if (media && !route.upload) {
        const [example] = Object.values(media.examples ?? {});
        expect(example?.value, id).to.be.an('object');
        const parsed = route.request!.body!.safeParse(example!.value);
        expect(parsed.error?.message, id).to.equal(undefined);
      }
      for (const { name, example, required } of operation.parameters ?? []) {
        if (required) expect(example, `${id} ${name}`).to.not.equal(undefined);
      }
    }
  });

  it('has examples of answers that the routes could give', () => {
    for (const { route, operation, id } of operations) {
      for (const [status, { content }] of Object.entries(operation.responses)) {
        const example = content?.['application/json']?.example;
        const schema = route.responses[Number(status)];
        if (!status.startsWith('2') || !schema || example === undefined) continue;
        expect(schema.safeParse(example).error?.message, `${id} ${status}`).to.equal(undefined);
      }
    }
  });

  it('opens with a call that sends a message, in the demo with its key and address', () => {
    const inDemo = partsAt({ host: 'localhost:8080', demo });
    expect(inDemo.document.info.description)
      .to.include('curl -X POST "http://localhost:8080/api/v1/notifications/send"')
      .and.include('Authorization: Bearer wb_live_demo');
    const { apiKey, administrator } = inDemo.settings.authentication.securitySchemes;
    expect([apiKey.token, administrator.token]).to.deep.equal(Object.values(demo));
    expect(partsAt({ host: '', demo: undefined }).document.info.description)
      .to.include('"$WAYBILL_URL/v1/notifications/send"')
      .and.include('Bearer $WAYBILL_API_KEY')
      .and.not.include('demo');
  });

  it('shows each operation of a key with the client', () => {
    const { document } = partsAt({ host: '', demo: undefined });
    for (const { route, operation, id } of operationsOf(document)) {
      const [sample] = operation['x-codeSamples'] ?? [];
      if (route.access !== 'key') expect(sample, id).to.equal(undefined);
      else
        expect(sample!.source, id)
          .to.include(`waybill.${id}(`)
          .and.not.match(/undefined|\[object/);
    }
  });

  it('has samples that compile against the client', async () => {
    const { path: folder, remove } = temporaryFolder();
    try {
      for (const { operation, id } of operations) {
        const sample = clientSample(operation);
        if (sample) writeFileSync(join(folder, `${id}.ts`), `${sample}\nexport {};\n`);
      }
      const compilerOptions = {
        strict: true,
        noEmit: true,
        skipLibCheck: true,
        allowImportingTsExtensions: true,
        target: 'es2024',
        module: 'esnext',
        moduleResolution: 'bundler',
        lib: ['esnext', 'dom'],
        typeRoots: [join(root, 'node_modules/@types')],
        types: ['node'],
        paths: { 'waybill-client': [join(root, 'clients/typescript/src/index.ts')] },
      };
      const config = { compilerOptions, include: ['*.ts'] };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
      expect(await problemsOf(folder)).to.equal('');
    } finally {
      remove();
    }
  });
});
