import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openApiDocument } from '../../../src/http/openapi/document.ts';
import { operationIdOf, templateOf } from '../../../src/http/openapi/names.ts';
import { describedRoutes } from '../../../src/http/openapi/routes.ts';
import { callOf, type Operation } from '../../../src/http/reference/operation.ts';
import { referencePage } from '../../../src/http/reference/page.ts';
import { type Sample, samplesOf } from '../../../src/http/reference/samples.ts';

const root = join(import.meta.dirname, '../../..');
const routes = describedRoutes();
const document = openApiDocument(routes) as unknown as {
  paths: Record<string, Record<string, Operation>>;
};
const operations = routes.map((route) => {
  const path = templateOf(route.path);
  const operation = document.paths[path]![route.method.toLowerCase()]!;
  const call = callOf(route, path, operation);
  return { route, operation, call, samples: samplesOf(call), id: operationIdOf(route) };
});
let page: string;
const sectionOf = (id: string) =>
  page.split(`<section class="operation" id="${id}">`)[1]!.split('</section>')[0]!;
const sourceOf = (samples: readonly Sample[], lang: string) =>
  samples.find((sample) => sample.lang === lang)!.source;

describe('the page of the reference @long', () => {
  before(async () => {
    page = await referencePage(routes, { style: '/s.css', script: '/s.js' }, undefined);
  });

  it('shows every operation, with an example of its request and of its answer', () => {
    for (const { operation, route, id } of operations) {
      const section = sectionOf(id);
      expect(section, id).to.match(/<p class="caption">2\d\d · /);
      const [media] = Object.values(operation.requestBody?.content ?? {});
      if (media && !route.upload) {
        const [example] = Object.values(media.examples ?? {});
        expect(example?.value, id).to.be.an('object');
        expect(route.request!.body!.safeParse(example!.value).error?.message, id).to.equal(
          undefined,
        );
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

  it('shows each operation in four languages', () => {
    for (const { samples, call, id } of operations) {
      const section = sectionOf(id);
      for (const { lang, source } of samples) {
        expect(section, `${id} ${lang}`).to.include(`data-lang="${lang}"`);
        expect(source, `${id} ${lang}`).not.to.match(/undefined|\[object|\{\w*[iI]d\}/);
      }
      expect(samples.map(({ lang }) => lang)).to.deep.equal([
        'curl',
        'typescript',
        'python',
        'php',
      ]);
      const called = call.isAdministration ? 'await fetch(' : `waybill.${id}(`;
      expect(sourceOf(samples, 'typescript'), id).to.include(called);
    }
  });

  it('has samples in TypeScript that compile against the client', () => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-samples-'));
    try {
      for (const { samples, id } of operations) {
        writeFileSync(join(folder, `${id}.ts`), `${sourceOf(samples, 'typescript')}\nexport {};\n`);
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
      const tsc = join(root, 'node_modules/.bin/tsc');
      let problems = '';
      try {
        execFileSync(tsc, ['-p', folder], { encoding: 'utf8' });
      } catch (error) {
        problems = (error as { stdout: string }).stdout;
      }
      expect(problems).to.equal('');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('shows the errors of every operation once', () => {
    const common = sectionOf('common-errors');
    for (const anchor of [
      'request.invalid',
      'key.invalid',
      'key.rate_limited',
      'service.stopping',
    ]) {
      expect(common).to.include(`/docs/errors#${anchor}"`);
      expect(page.split(`/docs/errors#${anchor}"`), anchor).to.have.lengthOf(2);
    }
    expect(sectionOf('sendNotification')).to.include('/docs/errors#TEMPLATE_NOT_APPROVED"');
  });
});
