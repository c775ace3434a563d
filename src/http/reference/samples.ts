import { literal, PHP, PYTHON, quoted, translated } from './literals.ts';

// One request in four languages, from the document. The client has a method for each operation of a
// key; the administration has none, so its samples in TypeScript call `fetch`.

export interface Sample {
  lang: 'curl' | 'typescript' | 'python' | 'php';
  label: string;
  source: string;
}

/** What the samples of one operation are made of. */
export interface Call {
  operationId: string;
  method: string;
  path: string;
  parameters: readonly { name: string; in: string; required: boolean; example?: unknown }[];
  /** The JSON body; undefined for none. */
  body?: unknown;
  isUpload: boolean;
  /** The media type of the answer. */
  answer: string;
  isAdministration: boolean;
}

const FILE = 'invoice.pdf';

const lines = (...parts: readonly (string | false | undefined)[]): string =>
  parts.filter((part) => part !== false && part !== undefined).join('\n');

const indent = (text: string, spaces: number): string =>
  text.replaceAll('\n', `\n${' '.repeat(spaces)}`);

const inPath = ({ parameters }: Call) => parameters.filter((one) => one.in === 'path');
const inQuery = ({ parameters }: Call) =>
  parameters.filter((one) => one.in === 'query' && one.required);

/** The path with its examples, and the query that the operation needs. */
const target = (call: Call): string => {
  const path = inPath(call).reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    call.path,
  );
  const query = new URLSearchParams(
    inQuery(call).map(({ name, example }): [string, string] => [name, String(example)]),
  ).toString();
  return query === '' ? path : `${path}?${query}`;
};

const secretOf = ({ isAdministration }: Call): string =>
  isAdministration ? 'WAYBILL_ADMIN_TOKEN' : 'WAYBILL_API_KEY';

const curl = (call: Call): string => {
  const { method, body, isUpload, answer } = call;
  const json = body !== undefined && JSON.stringify(body, null, 2).replaceAll("'", "'\\''");
  const parts = [
    `curl ${answer === 'text/event-stream' ? '-N ' : ''}${method === 'GET' ? '' : `-X ${method} `}"$WAYBILL_URL${target(call)}"`,
    `-H "Authorization: Bearer $${secretOf(call)}"`,
    json && "-H 'Content-Type: application/json'",
    json && `-d '${json}'`,
    isUpload && `-F file=@${FILE}`,
    answer === 'application/octet-stream' && `-o file`,
  ];
  return parts.filter((part) => part !== false).join(' \\\n  ');
};

const CLIENT = `import { Waybill } from 'waybill-client';

const waybill = new Waybill({
  apiKey: process.env.WAYBILL_API_KEY!,
  baseUrl: process.env.WAYBILL_URL!,
});
`;

/** Methods that take their one query parameter alone. */
const BARE = new Set(['find']);

const clientCall = (call: Call): string => {
  const { operationId, body, isUpload, answer } = call;
  const query = Object.fromEntries(inQuery(call).map(({ name, example }) => [name, example]));
  const inputs = [
    ...inPath(call).map(({ example }) => quoted(String(example))),
    ...(body === undefined ? [] : [literal(body)]),
    ...(BARE.has(operationId) ? Object.values(query).map(literal) : []),
    ...(Object.keys(query).length > 0 && !BARE.has(operationId) ? [literal(query)] : []),
    ...(isUpload ? [`{ file: await openAsBlob('${FILE}', { type: 'application/pdf' }) }`] : []),
  ];
  const asked = `waybill.${operationId}(${inputs.join(', ')})`;
  if (answer === 'text/event-stream') {
    return `for await (const news of ${asked}) {\n  console.log(news);\n}`;
  }
  const shown = answer === 'application/octet-stream' ? 'await answer.arrayBuffer()' : 'answer';
  return `const answer = await ${asked};\nconsole.log(${shown});`;
};

const typescript = (call: Call): string => {
  if (!call.isAdministration) {
    const file = call.isUpload && "import { openAsBlob } from 'node:fs';";
    return lines(file, CLIENT, clientCall(call));
  }
  const { method, body } = call;
  const json = body !== undefined;
  return lines(
    `const answer = await fetch(\`\${process.env.WAYBILL_URL}${target(call)}\`, {`,
    method !== 'GET' && `  method: '${method}',`,
    '  headers: {',
    `    Authorization: \`Bearer \${process.env.${secretOf(call)}}\`,`,
    json && "    'Content-Type': 'application/json',",
    '  },',
    json && `  body: JSON.stringify(${indent(literal(body), 2)}),`,
    '});',
    'if (!answer.ok) throw new Error(await answer.text());',
    call.answer === 'text/event-stream'
      ? 'for await (const chunk of answer.body!) console.log(new TextDecoder().decode(chunk));'
      : 'console.log(await answer.json());',
  );
};

const python = (call: Call): string => {
  const { method, body, isUpload, answer } = call;
  const isStream = answer === 'text/event-stream';
  const last = answer === 'application/octet-stream' ? 'answer.content' : 'answer.json()';
  return lines(
    'import os',
    'import requests  # pip install requests',
    '',
    `answer = requests.${method.toLowerCase()}(`,
    `    os.environ['WAYBILL_URL'] + ${quoted(target(call))},`,
    `    headers={'Authorization': 'Bearer ' + os.environ['${secretOf(call)}']},`,
    body !== undefined && `    json=${indent(translated(body, PYTHON), 4)},`,
    isUpload && `    files={'file': ('${FILE}', open('${FILE}', 'rb'), 'application/pdf')},`,
    isStream && '    stream=True,',
    `    timeout=${isStream ? 330 : 60},`,
    ')',
    'answer.raise_for_status()',
    isStream ? 'for line in answer.iter_lines():\n    print(line.decode())' : `print(${last})`,
  );
};

const php = (call: Call): string => {
  const { method, body, isUpload, answer } = call;
  const json = body !== undefined;
  return lines(
    '<?php',
    `$call = curl_init(getenv('WAYBILL_URL') . ${quoted(target(call))});`,
    'curl_setopt_array($call, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_HTTPHEADER => [',
    `        'Authorization: Bearer ' . getenv('${secretOf(call)}'),`,
    json && "        'Content-Type: application/json',",
    '    ],',
    json && `    CURLOPT_POSTFIELDS => json_encode(${indent(translated(body, PHP), 4)}),`,
    isUpload && `    CURLOPT_POSTFIELDS => ['file' => new CURLFile('${FILE}', 'application/pdf')],`,
    answer !== 'text/event-stream' && '    CURLOPT_RETURNTRANSFER => true,',
    ']);',
    '$answer = curl_exec($call);',
    'if (curl_getinfo($call, CURLINFO_RESPONSE_CODE) >= 400) {\n    throw new Exception($answer);\n}',
    answer === 'application/json' ? 'print_r(json_decode($answer, true));' : 'echo $answer;',
  );
};

/** The samples of an operation, in the order of the tabs. */
export const samplesOf = (call: Call): readonly Sample[] => [
  { lang: 'curl', label: 'curl', source: curl(call) },
  { lang: 'typescript', label: 'TypeScript', source: typescript(call) },
  { lang: 'python', label: 'Python', source: python(call) },
  { lang: 'php', label: 'PHP', source: php(call) },
];
