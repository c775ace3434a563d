import { readFile } from 'node:fs/promises';
import { AppError } from '../../shared/errors.ts';
import { markdown } from './markdown.ts';
import { BAR, headHtml } from './page.ts';

// The pages of docs/, which come with the service: as HTML at /docs/guides/<name>, as they are at
// /docs/guides/<name>.md, and listed for programs at /llms.txt.

const FOLDER = new URL('../../../docs/', import.meta.url);

/** The page that lists the others. */
const INDEX = 'README';

/** The text of a page; 404 where there is none of that name. */
export const guideText = async (name: string): Promise<string> => {
  if (!/^[\w-]+$/.test(name)) throw new AppError('route.unknown', 'Not found');
  return readFile(new URL(`${name}.md`, FOLDER), 'utf8').catch((cause) => {
    throw new AppError('route.unknown', 'Not found', { cause });
  });
};

/** Where a link of a page leads in a service, which has no other files of the repository. */
const linkOf = (target: string): string | undefined => {
  if (/^(https?:|#)/.test(target)) return target;
  if (target === '../openapi.json') return '/api/openapi.json';
  const [, name, section = ''] = /^([\w-]+)\.md(#[\w.-]+)?$/.exec(target) ?? [];
  return name && `${addressOf(name)}${section}`;
};

const addressOf = (name: string): string => {
  if (name === INDEX) return '/docs/guides';
  return name === 'errors' || name === 'runbooks' ? `/docs/${name}` : `/docs/guides/${name}`;
};

/** A page of docs/ as HTML. */
export const guidePage = async (style: string, name = INDEX): Promise<string> => {
  const text = await guideText(name);
  const [, title = name] = /^# (.+)$/m.exec(text) ?? [];
  return `<!doctype html>
<html lang="en">
<head>
${headHtml(`${title.replaceAll('`', '')} · Waybill`, style)}
<link rel="alternate" type="text/markdown" href="/docs/guides/${name}.md">
</head>
<body>
${BAR}
<main class="page">
${markdown(text, linkOf)}
</main>
</body>
</html>
`;
};

/** The list of all pages in the form of llmstxt.org, made of the one that lists them for people. */
export const llmsText = async (): Promise<string> => {
  const list = (await guideText(INDEX))
    .split('\n')
    .filter((line) => /^(## |- \[)/.test(line))
    .map((line) => line.replace(/^- \[([\w-]+)\.md\]\(.*?\)/, '- [$1](/docs/guides/$1.md)'))
    .map((line) => line.replace(/^## .*/, '\n$&\n'));
  return `# Waybill

> A transactional messaging service for WhatsApp Business: every send and every charge can be replayed and checked.

The API is described by [/api/openapi.json](/api/openapi.json) (OpenAPI 3.1); the address of the service ends in /api.
${list.join('\n')}
`;
};
