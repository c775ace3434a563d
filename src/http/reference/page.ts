import { setImmediate } from 'node:timers/promises';
import { escapeHtml } from '../../shared/html.ts';
import { openApiDocument } from '../openapi/document.ts';
import { operationIdOf, templateOf } from '../openapi/names.ts';
import { tagsOf } from '../openapi/operation.ts';
import { frameErrorsOf } from '../openapi/responses.ts';
import type { Schema } from '../openapi/schema.ts';
import type { JsonRoute } from '../route/route.ts';
import { markdown } from './markdown.ts';
import { errorsHtml, type Operation, operationHtml } from './operation.ts';

// The page of the reference, whole: it needs its script only to send requests and to change tabs.

/** Addresses of the files of the page. */
export interface Files {
  style: string;
  script: string;
}

/** Secrets that the demo fills in. */
export interface DemoSecrets {
  apiKey: string;
  adminToken: string;
}

interface Reference {
  info: { title: string; version: string; description: string };
  tags: readonly { name: string; description?: string }[];
  paths: Readonly<Record<string, Record<string, Operation>>>;
  components: { schemas: Record<string, Schema> };
}

const slug = (tag: string): string => `tag-${tag.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`;

/** The head that the page of errors shares. */
export const headHtml = (title: string, { style, script }: Files): string => `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>`;

/** The bar that the page of errors shares. */
export const BAR = `<header class="bar"><a class="brand" href="/docs">Waybill</a><nav><a href="/docs">Reference</a><a href="/docs/errors">Errors</a><a href="/docs/runbooks">Runbooks</a><a href="/console">Console</a><a href="/api/openapi.json">OpenAPI</a></nav><button type="button" data-theme-switch hidden>Dark</button></header>`;

const menuHtml = (tag: string, routes: readonly JsonRoute[]): string =>
  `<li><a href="#${slug(tag)}">${escapeHtml(tag)}</a><ul>${routes
    .map(
      (route) =>
        `<li><a href="#${operationIdOf(route)}"><b class="${route.method}">${route.method}</b> ${escapeHtml(route.summary)}</a></li>`,
    )
    .join('')}</ul></li>`;

const secretsHtml = (demo: DemoSecrets | undefined): string => {
  const value = (text: string | undefined) =>
    text === undefined ? '' : ` data-demo="${escapeHtml(text)}"`;
  const note = demo
    ? 'This is the demo: its key and token are filled in.'
    : 'Kept in this tab only, until it closes.';
  return `<form class="secrets" id="secrets"><label>API key <input name="key" placeholder="wb_live_…" autocomplete="off" spellcheck="false"${value(demo?.apiKey)}></label><label>Administrator's token <input name="admin" placeholder="wb_adm_…" autocomplete="off" spellcheck="false"${value(demo?.adminToken)}></label><p class="notes">For “Try it”. ${note}</p></form>`;
};

const SETTINGS = `export WAYBILL_URL=https://waybill.example/api   # this service's address, which ends in /api
export WAYBILL_API_KEY=wb_live_…                 # an API key of an account
export WAYBILL_ADMIN_TOKEN=…                     # for the administration only`;

const introHtml = (
  { info }: Reference,
  routes: readonly JsonRoute[],
  demo: DemoSecrets | undefined,
): string =>
  `<section class="operation" id="start"><div class="words"><h1>Waybill API <span class="type">${info.version}</span></h1>${markdown(info.description)}</div>
<div class="code"><h2>Authorisation</h2>${secretsHtml(demo)}<div class="panel"><p class="caption">The samples read these variables</p><pre tabindex="0"><code>${escapeHtml(SETTINGS)}</code></pre></div></div></section>
<section class="operation" id="common-errors"><div class="words"><h2>Errors of every operation</h2><p>Any operation can answer these, where they apply; below, each one names only its own. A fault of the service is a 500: try again with back-off.</p>${errorsHtml(routes.flatMap(frameErrorsOf))}</div></section>`;

/** The page, for these routes. Other requests are served between two operations. */
export const referencePage = async (
  routes: readonly JsonRoute[],
  files: Files,
  demo: DemoSecrets | undefined,
): Promise<string> => {
  const reference = openApiDocument(routes) as unknown as Reference;
  const byTag = Map.groupBy(routes, (route) => tagsOf(route)[0]!);
  const tags = reference.tags.filter(({ name }) => byTag.has(name));
  const parts: string[] = [];
  for (const { name, description = '' } of tags) {
    parts.push(
      `<section class="group" id="${slug(name)}"><h2>${escapeHtml(name)}</h2>${markdown(description)}</section>`,
    );
    for (const route of byTag.get(name)!) {
      const path = templateOf(route.path);
      const operation = reference.paths[path]![route.method.toLowerCase()]!;
      parts.push(operationHtml(route, path, operation, reference.components.schemas));
      await setImmediate();
    }
  }
  const menu = tags.map(({ name }) => menuHtml(name, byTag.get(name)!)).join('');
  return `<!doctype html>
<html lang="en" data-language="curl">
<head>
${headHtml('Waybill API reference', files)}
</head>
<body class="reference">
${BAR}
<details class="menu" open><summary>Contents</summary><input type="search" placeholder="Search" aria-label="Search the operations" hidden><ul><li><a href="#start">Start</a></li><li><a href="#common-errors">Errors of every operation</a></li>${menu}</ul></details>
<main>${introHtml(reference, routes, demo)}
${parts.join('\n')}</main>
</body>
</html>
`;
};
