import { hintedCodes, providerHint } from '../../provider/rules/errors.ts';
import type { ErrorRecord } from '../../shared/error-table.ts';
import { escapeHtml } from '../../shared/html.ts';
import { anchorOf, errorCodes, recordOf } from '../edge/respond.ts';

// The page of errors, to which every `docUrl` leads.

interface ErrorEntry {
  anchor: string;
  status: number;
  records: readonly ErrorRecord<object>[];
}

/** Errors of one public code are one entry, as their `docUrl` is the same. */
const entries = (): readonly ErrorEntry[] =>
  [...Map.groupBy(errorCodes, anchorOf)]
    .map(([anchor, codes]) => {
      const records = codes.map(recordOf);
      return { anchor, status: records[0]!.status, records };
    })
    .sort((one, other) => one.status - other.status || (one.anchor < other.anchor ? -1 : 1));

const INTRO =
  'Every error has a status and `error`, a text for people; some have `code`. Branch on status and code, never on a text. ' +
  '`hint` says what to do next, and `docUrl` leads here.';
const PROVIDER =
  'The codes of the provider stand in `details.providerCode` of a 502, and in `errorCode` of a failed message.';

const html = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const recordText = ({ means, says, hint }: ErrorRecord<object>): string =>
  `<p>${html(means)}</p>
${says === '' ? '' : `<blockquote>${html(says)}</blockquote>`}
${hint === null ? '' : `<p><strong>Next:</strong> ${html(hint)}</p>`}`;

/** `/docs/errors`. */
export const errorsPage = ({ head, bar }: { head: string; bar: string }): string => {
  const own = entries().map(
    ({ anchor, status, records }) => `<section id="${anchor}">
<h3>${status} <code>${anchor}</code></h3>
${records.map(recordText).join('\n')}
</section>`,
  );
  const codes = hintedCodes.map(
    (code) => `<tr id="${code}"><td>${code}</td><td>${html(providerHint(code)!)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
${head}
</head>
<body>
${bar}
<main class="page">
<h1>Errors</h1>
<p>${html(INTRO)} <a href="/docs">The reference</a></p>
<h2>Of the service</h2>
${own.join('\n')}
<h2>Of the provider</h2>
<p>${html(PROVIDER)}</p>
<table><tbody>
${codes.join('\n')}
</tbody></table>
</main>
</body>
</html>
`;
};
