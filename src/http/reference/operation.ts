import type { ErrorCode } from '../../shared/errors.ts';
import { escapeHtml } from '../../shared/html.ts';
import { anchorOf, recordOf } from '../edge/respond.ts';
import { operationIdOf } from '../openapi/names.ts';
import { frameErrorsOf } from '../openapi/responses.ts';
import type { Schema } from '../openapi/schema.ts';
import type { JsonRoute } from '../route/route.ts';
import { fieldHtml, schemaHtml } from './fields.ts';
import { inline, markdown } from './markdown.ts';
import { type Call, samplesOf } from './samples.ts';

// One operation of the page: words on the left, code on the right.

type Media = Readonly<
  Record<
    string,
    {
      schema: Schema;
      example?: unknown;
      examples?: Record<string, { summary: string; value: unknown }>;
    }
  >
>;

/** An operation of the document, as this page reads it. */
export interface Operation {
  summary: string;
  description?: string;
  parameters?: readonly (Call['parameters'][number] & { description?: string; schema: Schema })[];
  requestBody?: { content: Media };
  responses: Readonly<Record<string, { description: string; content?: Media }>>;
}

type Components = Readonly<Record<string, Schema>>;

const isAdministration = ({ access }: JsonRoute): boolean => access !== 'key';

const firstOf = (media: Media | undefined) => Object.entries(media ?? {})[0];

const successOf = ({ responses }: Operation) => {
  const status = Object.keys(responses).find((one) => one.startsWith('2'))!;
  const response = responses[status]!;
  const [type = 'application/json', content] = firstOf(response.content) ?? [];
  return { status, response, type, content };
};

/** The call that the samples of an operation show. */
export const callOf = (route: JsonRoute, path: string, operation: Operation): Call => {
  const [type, media] = firstOf(operation.requestBody?.content) ?? [];
  const examples = Object.values(media?.examples ?? {});
  return {
    operationId: operationIdOf(route),
    method: route.method,
    path,
    parameters: operation.parameters ?? [],
    body: examples[0]?.value,
    isUpload: type === 'multipart/form-data',
    answer: successOf(operation).type,
    isAdministration: isAdministration(route),
  };
};

/** A line for each error, linked to its place on the page of errors. */
export const errorsHtml = (codes: readonly ErrorCode[]): string => {
  const rows = [...new Set(codes)].map((code) => {
    const { status, means } = recordOf(code);
    return { status, anchor: anchorOf(code), means };
  });
  const sorted = rows.sort((one, other) => one.status - other.status);
  const items = sorted.map(
    ({ status, anchor, means }) =>
      `<li><a href="/docs/errors#${anchor}"><b>${status}</b> <code>${escapeHtml(anchor)}</code></a> ${inline(means)}</li>`,
  );
  return `<ul class="errors">${items.join('')}</ul>`;
};

const parametersHtml = (operation: Operation, components: Components): string => {
  const places = [
    ['path', 'Path'],
    ['query', 'Query'],
    ['header', 'Headers'],
  ] as const;
  const parts = places.map(([place, title]) => {
    const fields = (operation.parameters ?? []).filter((one) => one.in === place);
    if (fields.length === 0) return '';
    const items = fields.map(({ name, schema, required: isRequired, description }) =>
      fieldHtml({ name, schema, isRequired, description }, { components, around: [] }),
    );
    return `<h4>${title}</h4><ul class="fields">${items.join('')}</ul>`;
  });
  return parts.join('');
};

const codeHtml = (source: string, attributes = ''): string =>
  `<pre tabindex="0"${attributes}><code>${escapeHtml(source)}</code></pre>`;

const samplesHtml = (call: Call): string => {
  const samples = samplesOf(call);
  const tabs = samples.map(
    ({ lang, label }) => `<button type="button" data-pick="${lang}">${label}</button>`,
  );
  const blocks = samples.map(({ lang, source }) => codeHtml(source, ` data-lang="${lang}"`));
  return `<div class="panel"><div class="tabs">${tabs.join('')}<button type="button" class="copy" data-copy>Copy</button></div>${blocks.join('')}</div>`;
};

const exampleText = (example: unknown): string =>
  typeof example === 'string' ? example : JSON.stringify(example, null, 2);

/** The form that sends the request; the script of the page reads it. */
const formHtml = (call: Call): string => {
  const inputs = call.parameters.map(({ name, in: place, required, example }) => {
    const value =
      example !== undefined && required ? ` value="${escapeHtml(String(example))}"` : '';
    return `<label>${escapeHtml(name)} <input data-in="${place}" name="${escapeHtml(name)}"${value}${required ? ' required' : ''} autocomplete="off" spellcheck="false"></label>`;
  });
  const body =
    call.body === undefined
      ? ''
      : `<label>Body <textarea name="body" rows="8" spellcheck="false">${escapeHtml(exampleText(call.body))}</textarea></label>`;
  const file = call.isUpload ? '<label>File <input type="file" name="file" required></label>' : '';
  const data = `data-method="${call.method}" data-path="${call.path}" data-secret="${call.isAdministration ? 'admin' : 'key'}"`;
  return `<details class="try"><summary>Try it</summary><form ${data}>${inputs.join('')}${body}${file}<button type="submit">Send</button></form><div class="result" hidden aria-live="polite"></div></details>`;
};

const answerHtml = (operation: Operation): string => {
  const { status, type, content } = successOf(operation);
  const example = content?.example;
  return `<div class="panel"><p class="caption">${status} · ${type}</p>${example === undefined ? '' : codeHtml(exampleText(example))}</div>`;
};

const fieldsSection = (
  title: string,
  schema: Schema | undefined,
  components: Components,
  open: boolean,
): string => {
  const html = schema ? schemaHtml(schema, components) : '';
  if (html === '') return '';
  return `<details class="fields-of"${open ? ' open' : ''}><summary>${title}</summary>${html}</details>`;
};

/** The bodies beside the one of the samples. */
const otherBodiesHtml = (operation: Operation): string => {
  const [, media] = firstOf(operation.requestBody?.content) ?? [];
  const others = Object.values(media?.examples ?? {}).slice(1);
  return others
    .map(
      ({ summary, value }) =>
        `<details class="panel"><summary class="caption">Body: ${escapeHtml(summary)}</summary>${codeHtml(exampleText(value))}</details>`,
    )
    .join('');
};

/** One operation as HTML. */
export const operationHtml = (
  route: JsonRoute,
  path: string,
  operation: Operation,
  components: Components,
): string => {
  const call = callOf(route, path, operation);
  const { response, content } = successOf(operation);
  const [, body] = firstOf(operation.requestBody?.content) ?? [];
  const frame = frameErrorsOf(route);
  const own = route.errors.filter((code) => !frame.includes(code));
  const errors = own.length === 0 ? '' : `<h4>Errors</h4>${errorsHtml(own)}`;
  return `<section class="operation" id="${call.operationId}">
<div class="words"><h3><a href="#${call.operationId}">${inline(operation.summary)}</a></h3>
<p class="path"><b class="${route.method}">${route.method}</b> <code>/api${escapeHtml(path).replaceAll('/', '/<wbr>')}</code></p>
${markdown(operation.description ?? '')}${parametersHtml(operation, components)}${fieldsSection('Body', body?.schema, components, true)}
<h4>Answer</h4>${markdown(response.description)}${fieldsSection('Fields of the answer', content?.schema, components, false)}${errors}</div>
<div class="code">${samplesHtml(call)}${otherBodiesHtml(operation)}${answerHtml(operation)}${formHtml(call)}</div>
</section>`;
};
