import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect } from 'chai';
import type { z } from 'zod';
import { describedRoutes, openApiDocument } from '../../../openapi/document.ts';
import { exampleKeys, examplesOf } from '../../../openapi/examples.ts';
import { templateOf } from '../../../openapi/names.ts';
import { errorsByStatus } from '../../../openapi/responses.ts';
import { ForwardedMessage, forwardedExamples } from '../../../openapi/webhook.ts';
import { recordOf } from '../../../src/http/edge/respond.ts';
import { type JsonRoute, successStatus } from '../../../src/http/route/route.ts';
import type { ErrorCode } from '../../../src/shared/errors.ts';
import {
  answerOf,
  type Operation,
  readReference,
  referenceFile,
  schemasOf,
} from '../../support/openapi.ts';

const routes = describedRoutes();
const products = routes.filter(({ access }) => access === 'key');
const nameOf = ({ method, path }: JsonRoute) => `${method} ${path}`;

describe('the reference @long', () => {
  const reference = readReference();
  const schemas = schemasOf(reference);
  const operationOf = (route: JsonRoute) => {
    const operation = reference.paths[templateOf(route.path)]?.[route.method.toLowerCase()];
    if (!operation) throw new Error(`${nameOf(route)} is not in openapi.json: npm run openapi`);
    return operation;
  };
  const placeOf = ({ method, path }: JsonRoute) =>
    [templateOf(path), method.toLowerCase()] as const;

  it('equals the file openapi.json', () => {
    const made = JSON.parse(JSON.stringify(openApiDocument(routes)));
    expect(reference, 'openapi.json is out of date: run `npm run openapi`').to.deep.equal(made);
  });

  it('is the same text in every run', () => {
    const text = `${JSON.stringify(openApiDocument(describedRoutes()), null, 2)}\n`;
    expect(readFileSync(referenceFile, 'utf8') === text, 'run `npm run openapi`').to.equal(true);
  });

  it('passes the linter @series', async () => {
    const config = await createConfig({
      extends: ['recommended-strict'],
      rules: {
        'no-unused-components': 'error',
        'operation-operationId': 'error',
        'operation-description': 'error',
        'tag-description': 'error',
        'no-invalid-media-type-examples': 'error',
        'no-invalid-parameter-examples': 'error',
      },
    });
    const source = readFileSync(referenceFile, 'utf8');
    const problems = await lintFromString({ source, absoluteRef: referenceFile, config });
    const shown = problems.map(
      ({ ruleId, message, location }) => `${ruleId}: ${message} (${location[0]?.pointer})`,
    );
    expect(shown).to.deep.equal([]);
  });

  it('has every operation once, with its own name and a described tag', () => {
    const ids = routes.map((route) => operationOf(route).operationId);
    expect(new Set(ids).size).to.equal(routes.length);
    const count = Object.values(reference.paths).flatMap((path) => Object.keys(path)).length;
    expect(count).to.equal(routes.length);
    const unexplained = reference.tags.filter(({ description }) => !description);
    expect(unexplained).to.deep.equal([]);
  });

  it('says who may call', () => {
    const schemes = {
      key: 'apiKey',
      person: 'session',
      administrator: 'administrator',
      support: 'administrator',
      auditor: 'administrator',
    };
    for (const route of routes) {
      const [security] = operationOf(route).security;
      const scheme = route.access === 'open' ? undefined : schemes[route.access];
      expect(Object.keys(security ?? {})[0], nameOf(route)).to.equal(scheme);
    }
  });

  it('documents every error of every route with an example of its shape', () => {
    for (const route of routes) {
      for (const [status, codes] of errorsByStatus(route)) {
        const media = answerOf(reference, operationOf(route), status)?.content;
        const examples = Object.values(media?.['application/json']?.examples ?? {});
        expect(examples.length, `${nameOf(route)} ${status}`).to.be.at.least(codes.length);
        for (const { value } of examples) {
          const problem = schemas.answer(...placeOf(route), status, value);
          const about = `${nameOf(route)} ${status} ${JSON.stringify(value)}`;
          expect(problem, about).to.equal(undefined);
        }
      }
    }
  });

  /** Paths of the parts of a schema that a caller may make as long as a request may be. */
  const unboundedIn = (part: unknown, path: string): string[] => {
    if (typeof part !== 'object' || part === null) return [];
    const schema = part as Record<string, unknown>;
    const { type, format } = schema;
    const isBounded =
      (type !== 'string' && type !== 'array') ||
      ['maxLength', 'maxItems', 'enum', 'const'].some((keyword) => keyword in schema) ||
      (type === 'string' && format !== undefined);
    const below = Object.entries(schema).flatMap(([key, one]) =>
      /^examples?$/.test(key) ? [] : unboundedIn(one, `${path}/${key}`),
    );
    return isBounded ? below : [path, ...below];
  };

  it('bounds the texts and lists of requests, but for what must name something that exists', () => {
    const names = /\/(event|events\/items|phoneNumberId|refresh|userId|flow_\w+|screen)$/;
    // A file, the components of a template, which go through untouched, and topics, which count once.
    const wholes = /\/(file|components|events)$/;
    const found = Object.entries(reference.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) => {
        const { parameters = [], requestBody } = operation as Operation & {
          parameters?: { name: string; in: string; schema: object }[];
        };
        const place = `${method} ${path}`;
        return [
          ...parameters
            .filter((parameter) => parameter.in !== 'path')
            .flatMap(({ name, schema }) => unboundedIn(schema, `${place}/${name}`)),
          ...unboundedIn(requestBody?.content, place),
        ];
      }),
    );
    expect(found.filter((path) => !names.test(path) && !wholes.test(path))).to.deep.equal([]);
    const { parameters } = reference.paths['/v1/notifications/send']!.post as unknown as {
      parameters: { schema: object }[];
    };
    expect(parameters[0]!.schema).to.include({ maxLength: 255 });
  });

  it('tells generators of clients what may be repeated, and how a list continues', () => {
    type Extended = Record<string, { statusCodes: string[]; outputs: object } | undefined>;
    const of = (path: string, method: string) =>
      reference.paths[path]![method] as unknown as Extended;
    const send = of('/v1/notifications/send', 'post');
    expect(send['x-fern-idempotent']).to.equal(true);
    // A refusal by the provider stays under its key.
    expect(send['x-speakeasy-retries']?.statusCodes).to.deep.equal(['429', '500', '503']);
    expect(of('/v1/bots', 'post')).not.to.have.any.keys('x-speakeasy-retries', 'x-fern-idempotent');
    expect(of('/v1/live', 'get')).not.to.have.property('x-speakeasy-retries');
    const list = of('/v1/messages', 'get');
    expect(list['x-speakeasy-retries']?.statusCodes).to.include('502');
    expect(list['x-speakeasy-pagination']?.outputs).to.deep.equal({
      nextCursor: '$.nextCursor',
      results: '$.messages',
    });
    for (const route of routes) {
      const isList = 'cursor' in ((route.request?.query as z.ZodObject | undefined)?.shape ?? {});
      const operation = operationOf(route) as unknown as Extended;
      expect('x-speakeasy-pagination' in operation, nameOf(route)).to.equal(isList);
    }
  });

  it('documents the errors of the frame', () => {
    const frame: ErrorCode[] = [
      ...(['key.invalid', 'key.origin', 'organisation.suspended', 'key.rate_limited'] as const),
      ...(['route.unknown', 'route.method', 'key.lookup_failed', 'service.busy'] as const),
    ];
    for (const route of products) {
      const known = errorsByStatus(route);
      for (const code of frame) {
        expect(known.get(recordOf(code).status), nameOf(route)).to.include(code);
      }
      const statuses = ['401', '403', '404', '405', '429', '500', '503'];
      expect(operationOf(route).responses).to.include.keys(statuses);
    }
  });

  it('refuses bodies that are no error of the operation', () => {
    const place = ['/v1/notifications/send', 'post'] as const;
    expect(schemas.answer(...place, 502, { error: 'x' })).to.be.a('string');
    expect(schemas.answer(...place, 402, { error: 'x', reason: 'NONE' })).to.be.a('string');
    expect(schemas.answer(...place, 418, { error: 'x' })).to.include('does not document');
  });
});

describe('the examples of the reference @long', () => {
  const reference = readReference();
  const schemas = schemasOf(reference);
  const found = products.map((route) => ({ route, examples: examplesOf(route) ?? {} }));

  const namedBy = ({ route }: { route: JsonRoute }) => nameOf(route);

  it('cover every operation of the product', () => {
    const without = found.filter(({ examples }) => examples.answer === undefined);
    const what = 'add an example in openapi/examples.ts';
    expect(without.map(namedBy), what).to.deep.equal([]);
    const noRequest = found.filter(
      ({ route, examples }) => route.request?.body && !examples.requests,
    );
    expect(noRequest.map(namedBy), what).to.deep.equal([]);
  });

  it('belong to existing operations', () => {
    const names = new Set(routes.map(nameOf));
    expect(exampleKeys.filter((key) => !names.has(key))).to.deep.equal([]);
  });

  it('pass the schemas of the routes and of the reference', () => {
    for (const { route, examples } of found) {
      const place = [templateOf(route.path), route.method.toLowerCase()] as const;
      const status = successStatus(route);
      const answer = route.responses[status]!.safeParse(examples.answer);
      expect(answer.error?.message, `answer of ${nameOf(route)}`).to.equal(undefined);
      // The answer is a file, not JSON.
      if (route.download) continue;
      const shown = schemas.answer(...place, status, examples.answer);
      expect(shown, `answer of ${nameOf(route)}`).to.equal(undefined);
      for (const [name, body] of Object.entries(examples.requests ?? {})) {
        const parsed = route.request!.body!.safeParse(body);
        expect(parsed.error?.message, `${name}, ${nameOf(route)}`).to.equal(undefined);
        expect(schemas.request(...place, body), `${name}, ${nameOf(route)}`).to.equal(undefined);
      }
    }
  });

  it('show the request to the callback URL', () => {
    for (const [name, body] of Object.entries(forwardedExamples)) {
      expect(ForwardedMessage.safeParse(body).error?.message, name).to.equal(undefined);
      expect(schemas.webhook('inboundMessage', body), name).to.equal(undefined);
    }
  });
});
