import { escapeHtml } from '../../shared/html.ts';

// The Markdown that the document and the runbooks use: headings, paragraphs, lists, tables, blocks of
// code, bold, code and links.

/** Text of one line as HTML. */
export const inline = (text: string): string =>
  escapeHtml(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\[([^\]]+)\]\((#[\w.-]*|\/[\w/.#-]*)\)/g, '<a href="$2">$1</a>')
    // The service has no other file of docs/.
    .replaceAll(/\[([^\]]+)\]\([\w/.#-]+\)/g, '$1');

const rowOf = (line: string, tag: 'th' | 'td'): string => {
  const cells = line.replace(/^\||\|$/g, '').split('|');
  return `<tr>${cells.map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`).join('')}</tr>`;
};

/** The anchor of a heading, as links within docs/ write it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');

const block = (text: string): string => {
  const rows = text.split('\n');
  const [, marks, heading] = /^(##?) (.+)$/.exec(text) ?? [];
  if (marks && heading) {
    const tag = `h${marks.length}`;
    return `<${tag} id="${anchorOf(heading)}">${inline(heading)}</${tag}>`;
  }
  if (text.startsWith('```')) {
    return `<pre tabindex="0"><code>${escapeHtml(rows.slice(1, -1).join('\n'))}</code></pre>`;
  }
  if (text.startsWith('|')) {
    const [head, , ...body] = rows;
    const cells = body.map((row) => rowOf(row, 'td')).join('');
    return `<div class="wide"><table><thead>${rowOf(head!, 'th')}</thead><tbody>${cells}</tbody></table></div>`;
  }
  if (text.startsWith('- ')) {
    return `<ul>${rows.map((row) => `<li>${inline(row.slice(2))}</li>`).join('')}</ul>`;
  }
  return `<p>${inline(rows.join(' '))}</p>`;
};

/** Blocks of text as HTML. */
export const markdown = (text: string): string =>
  text
    .split(/\n{2,}/)
    .filter(Boolean)
    .map(block)
    .join('\n');
