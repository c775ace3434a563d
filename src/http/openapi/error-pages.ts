import { hintedCodes, providerHint } from '../../provider/rules/error-hints.ts';
import { escapeHtml } from '../../shared/html.ts';
import { publicCodeOf, statusOf } from '../edge/error-responses.ts';
import { anchorOf, hintOf } from '../edge/hints.ts';
import { errorCodes, noteOf } from './errors.ts';

// The page of errors, to which every `docUrl` leads: as HTML from the service, as text in docs/.

interface ErrorEntry {
  anchor: string;
  status: number;
  means: string;
  says: string;
  hint: string | null;
}

/** Errors of one public code are one entry, as their `docUrl` is the same. */
const entries = (): readonly ErrorEntry[] => {
  const byAnchor = new Map<string, ErrorEntry>();
  for (const code of errorCodes) {
    const { means, says } = noteOf(code);
    const anchor = anchorOf(code, publicCodeOf(code));
    byAnchor.set(anchor, { anchor, status: statusOf(code), means, says, hint: hintOf(code) });
  }
  return [...byAnchor.values()].sort(
    (one, other) => one.status - other.status || (one.anchor < other.anchor ? -1 : 1),
  );
};

const INTRO =
  'Every error has a status and `error`, a text for people; some have `code`. Branch on status and code, never on a text. ' +
  '`hint` says what to do next, and `docUrl` leads here.';
const PROVIDER =
  'The codes of the provider stand in `details.providerCode` of a 502, and in `errorCode` of a failed message.';

/** docs/errors.md. */
export const errorsText = (): string => {
  const own = entries().map(({ anchor, status, means, says, hint }) =>
    [
      `### <a id="${anchor}"></a>${status} \`${anchor}\``,
      '',
      means,
      ...(says === '' ? [] : ['', `> ${says}`]),
      ...(hint === null ? [] : ['', `**Next:** ${hint}`]),
      '',
    ].join('\n'),
  );
  const codes = hintedCodes.map(
    (code) => `| <a id="${code}"></a>${code} | ${providerHint(code)} |`,
  );
  return `# Errors

<!-- Written by \`npm run openapi\`. -->

${INTRO}

## Of the service

${own.join('\n')}
## Of the provider

${PROVIDER}

| code | what to do |
|---|---|
${codes.join('\n')}
`;
};

const html = (text: string): string => escapeHtml(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>');

const STYLE = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; }
section, tr { scroll-margin-top: 1rem; }
section { border-top: 1px solid #8884; padding: .5rem 0; }
section:target, tr:target { background: #fc03; }
section h3 { margin: .5rem 0; overflow-wrap: anywhere; }
blockquote { margin: .5rem 0; padding-left: 1rem; border-left: 3px solid #8886; }
td { vertical-align: top; padding: .3rem .8rem .3rem 0; }
`;

/** `/docs/errors`. */
export const errorsPage = (): string => {
  const own = entries().map(
    ({ anchor, status, means, says, hint }) => `<section id="${anchor}">
<h3>${status} <code>${anchor}</code></h3>
<p>${html(means)}</p>
${says === '' ? '' : `<blockquote>${html(says)}</blockquote>`}
${hint === null ? '' : `<p><strong>Next:</strong> ${html(hint)}</p>`}
</section>`,
  );
  const codes = hintedCodes.map(
    (code) => `<tr id="${code}"><td>${code}</td><td>${html(providerHint(code)!)}</td></tr>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Waybill errors</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Errors</h1>
<p>${html(INTRO)} <a href="/docs">The reference</a></p>
<h2>Of the service</h2>
${own.join('\n')}
<h2>Of the provider</h2>
<p>${html(PROVIDER)}</p>
<table><tbody>
${codes.join('\n')}
</tbody></table>
</body>
</html>
`;
};
