// The call of an operation with the TypeScript client. Scalar makes the samples of other languages; the
// client has no method for the administration.

/** An operation of the document, as a sample reads it. */
export interface Operation {
  operationId: string;
  security: readonly Readonly<Record<string, unknown>>[];
  parameters?: readonly { name: string; in: string; required: boolean; example?: unknown }[];
  requestBody?: {
    content: Readonly<Record<string, { examples?: Record<string, { value: unknown }> }>>;
  };
  responses: Readonly<Record<string, { content?: Readonly<Record<string, unknown>> }>>;
  'x-codeSamples'?: unknown;
}

const CLIENT = `import { Waybill } from 'waybill-client';

const waybill = new Waybill({
  apiKey: process.env.WAYBILL_API_KEY!,
  baseUrl: process.env.WAYBILL_URL!,
});
`;

/** Methods that take their one query parameter alone. */
const BARE = new Set(['find']);

/** JSON as a JavaScript literal: keys without quotes where they need none. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll(/^(\s*)"([A-Za-z_$][\w$]*)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\[^"])*)"/g, "'$1'");

/** Undefined for an operation that the client does not have. */
export const clientSample = (operation: Operation): string | undefined => {
  const { operationId: id, security, parameters = [], requestBody, responses } = operation;
  if (!security.some(({ apiKey }) => apiKey !== undefined)) return undefined;
  const [[type, media] = []] = Object.entries(requestBody?.content ?? {});
  const [example] = Object.values(media?.examples ?? {});
  const isUpload = type === 'multipart/form-data';
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2'))!;
  const [answer] = Object.keys(success.content ?? {});
  const asked = parameters.filter((one) => one.in === 'query' && one.required);
  const query = asked.map((one) => [one.name, one.example] as const);
  const inputs = parameters.filter((one) => one.in === 'path').map((one) => literal(one.example));
  if (example) inputs.push(literal(example.value));
  if (BARE.has(id)) inputs.push(...query.map(([, value]) => literal(value)));
  else if (query.length > 0) inputs.push(literal(Object.fromEntries(query)));
  if (isUpload)
    inputs.push("{ file: await openAsBlob('invoice.pdf', { type: 'application/pdf' }) }");
  const call = `waybill.${id}(${inputs.join(', ')})`;
  const start = isUpload ? `import { openAsBlob } from 'node:fs';\n${CLIENT}` : CLIENT;
  if (answer === 'text/event-stream') {
    return `${start}\nfor await (const news of ${call}) {\n  console.log(news);\n}`;
  }
  const shown = answer === 'application/octet-stream' ? 'await answer.arrayBuffer()' : 'answer';
  return `${start}\nconst answer = await ${call};\nconsole.log(${shown});`;
};
