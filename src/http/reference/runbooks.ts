import { readFile } from 'node:fs/promises';
import { AppError } from '../../shared/errors.ts';
import { markdown } from './markdown.ts';
import { BAR, headHtml } from './page.ts';

const FILE = new URL('../../../docs/runbooks.md', import.meta.url);

/** `/docs/runbooks`: the page to which the red things of the console lead. */
export const runbooksPage = async (style: string): Promise<string> => {
  const text = await readFile(FILE, 'utf8').catch((cause) => {
    throw new AppError('route.unknown', 'Not found', { cause });
  });
  return `<!doctype html>
<html lang="en">
<head>
${headHtml('Waybill runbooks', style)}
</head>
<body>
${BAR}
<main class="page">
${markdown(text)}
</main>
</body>
</html>
`;
};
