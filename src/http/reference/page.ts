import { escapeHtml } from '../../shared/html.ts';
import { clientSample, type Operation } from './samples.ts';

// The page of the reference: Scalar draws it from the document that it holds.

/** Secrets that the demo fills in. */
export interface DemoSecrets {
  apiKey: string;
  adminToken: string;
}

/** The head that the pages beside the reference share. */
export const headHtml = (title: string, style: string): string => `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">`;

/** The bar that they share. */
export const BAR =
  '<header class="bar"><a class="brand" href="/docs">Waybill</a><nav><a href="/docs">Reference</a><a href="/docs/guides">Guides</a><a href="/docs/errors">Errors</a><a href="/docs/runbooks">Runbooks</a><a href="/console">Console</a><a href="/api/openapi.json">OpenAPI</a></nav></header>';

const LINKS =
  '[Guides](/docs/guides) · [Errors](/docs/errors) · [Runbooks](/docs/runbooks) · [Console](/console) · [OpenAPI](/api/openapi.json)';

const SETTINGS = `export WAYBILL_URL=https://waybill.example/api   # this service, with /api at the end
export WAYBILL_API_KEY=wb_live_…                 # an API key of an account

`;

/** Sends a first message; the demo runs it unchanged. */
const firstCall = (address: string, demo: DemoSecrets | undefined): string => {
  const body = {
    to: '+919812345678',
    event: 'order_shipped',
    variables: { orderId: 'A-1042', awbCode: 'AWB123', trackingLink: 'https://shop.example/t/1' },
  };
  return `${demo ? '' : SETTINGS}curl -X POST "${demo ? address : '$WAYBILL_URL'}/v1/notifications/send" \\
  -H "Authorization: Bearer ${demo?.apiKey ?? '$WAYBILL_API_KEY'}" \\
  -H 'Content-Type: application/json' \\
  -d '${JSON.stringify(body, null, 2)}'`;
};

/** Nothing of it asks another host: no fonts, no proxy, no telemetry and no assistant of the maker. */
const settingsOf = (demo: DemoSecrets | undefined) => ({
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  documentDownloadType: 'none',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  authentication: {
    preferredSecurityScheme: 'apiKey',
    securitySchemes: {
      apiKey: { token: demo?.apiKey ?? '' },
      administrator: { token: demo?.adminToken ?? '' },
    },
  },
});

/** The document, as far as the page reads it. */
export interface Reference {
  info: { description: string };
  servers: unknown;
  paths: Record<string, Record<string, Operation>>;
}

/** The page of the document. `host` is the one that the browser named; `script` draws the page. */
export const referencePage = (
  reference: Reference,
  script: string,
  { host, demo }: { host: string; demo: DemoSecrets | undefined },
): string => {
  const call = firstCall(`http://${host}/api`, demo);
  reference.info.description = `${LINKS}\n\n\`\`\`sh\n${call}\n\`\`\`\n\n${reference.info.description}`;
  reference.servers = [{ url: '/api' }];
  for (const operation of Object.values(reference.paths).flatMap(Object.values)) {
    const source = clientSample(operation);
    if (source === undefined) continue;
    operation['x-codeSamples'] = [{ lang: 'typescript', label: 'TypeScript client', source }];
  }
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill API reference</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>The reference needs JavaScript. Its document is <a href="/api/openapi.json">/api/openapi.json</a>.</noscript>
<script id="api-reference" type="application/json" data-configuration="${escapeHtml(JSON.stringify(settingsOf(demo)))}">${JSON.stringify(reference).replaceAll('<', '\\u003c')}</script>
<script src="${script}"></script>
</body>
</html>
`;
};
