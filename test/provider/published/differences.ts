import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { openSchemas } from '../../support/json-schemas.ts';
import { sender } from '../../support/provider.ts';
import type { Published } from '../../support/published/document.ts';
import { MEDIA } from '../graph/calls.ts';
import type { Exchange } from './relay.ts';
import type { Traffic } from './traffic.ts';

const JSON_SCHEMA = ['content', 'application/json', 'schema'] as const;
const WEBHOOK = '/whatsapp/webhooks';

/** The path of the operation of a call. */
const operationOf = (pathname: string): string =>
  pathname
    .replace(/^\/v[0-9.]+/, '/{Version}')
    .replace(sender().phoneNumberId, '{Phone-Number-ID}')
    .replace(sender().wabaId, '{WABA-ID}')
    .replace(new RegExp(`/${MEDIA}$`), '/{Media-ID}')
    .replace(/\/\d+$/, '/{TEMPLATE_ID}');

/** Fields whose values are others in each run. */
const OTHERS_EACH_TIME = new Set(['id', 'timestamp']);

/** The plain values of an object, which tell what it is. */
const plainOf = (data: unknown): string =>
  typeof data !== 'object' || data === null
    ? JSON.stringify(data)
    : JSON.stringify(data, (key, value) =>
        OTHERS_EACH_TIME.has(key)
          ? '…'
          : key !== '' && typeof value === 'object'
            ? undefined
            : value,
      );

/** A difference without positions in lists, so that it counts once. */
const wordsOf = ({ instancePath, keyword, params, data }: ErrorObject): string => {
  const place = instancePath.replaceAll(/\/\d+(?=\/|$)/g, '[]');
  const field = params.additionalProperty ?? params.missingProperty;
  if (field !== undefined) {
    return `${place}/${field} is ${keyword === 'required' ? 'missing' : 'unknown'}`;
  }
  return `${place || '/'} breaks ${keyword}: ${plainOf(data)}`;
};

/** A choice that fails says so itself; its forms, and the conditions around them, only repeat it. */
const isOwn = ({ keyword, schemaPath }: ErrorObject) =>
  keyword !== 'if' && !/\/(one|any)Of\//.test(schemaPath);

const problemsOf = (validate: ValidateFunction, body: unknown): string[] =>
  validate(body) ? [] : (validate.errors ?? []).filter(isOwn).map(wordsOf);

/** Where calls, answers and webhooks are not what a document describes, each place once. */
export const differencesOf = (
  document: Published,
  { calls, others, notices }: Traffic,
): string[] => {
  const { at } = openSchemas(document, { allErrors: true, verbose: true, validateSchema: false });

  /** The operation of a call; undefined when the document does not describe it. */
  const find = ({ method, target }: Exchange) => {
    const { pathname, searchParams } = new URL(target, 'http://provider');
    const [path, verb] = [operationOf(pathname), method.toLowerCase()];
    const operation = document.paths[path]?.[verb];
    return { name: `${method} ${path}`, query: searchParams, operation, path, verb };
  };

  const ofCall = (exchange: Exchange): string[] => {
    const { name, query, operation, path, verb } = find(exchange);
    if (!operation) return [`${name} is not described`];
    const known = (operation.parameters ?? []).map(
      (parameter: { name?: string }) => parameter.name,
    );
    const odd = [...query.keys()].filter((key) => !known.includes(key));
    const { mediaType, sent = {} } = exchange;
    const form = ['paths', path, verb, 'requestBody', 'content', mediaType, 'schema'];
    const body = operation.requestBody ? problemsOf(at(...form), sent) : [];
    return [
      ...odd.map((key) => `${name} asks for ?${key}, which is unknown`),
      ...body.map((problem) => `${name} sends: ${problem}`),
    ];
  };

  const ofAnswer = (exchange: Exchange): string[] => {
    const { name, operation, path, verb } = find(exchange);
    if (!operation) return [];
    const { status, answered } = exchange;
    const place = operation.responses[status]?.content
      ? ['paths', path, verb, 'responses', status, ...JSON_SCHEMA]
      : ['components', 'schemas', 'GraphAPIError'];
    const problems = problemsOf(at(...place), answered);
    return problems.map((problem) => `${name} answers ${status}: ${problem}`);
  };

  const webhook = at('paths', WEBHOOK, 'post', 'requestBody', ...JSON_SCHEMA);
  const all = [
    ...calls.flatMap(ofCall),
    ...[...calls, ...others].flatMap(ofAnswer),
    ...notices.flatMap((notice) => problemsOf(webhook, notice)).map((one) => `a webhook: ${one}`),
  ];
  return [...new Set(all)].sort();
};
