import { escapeHtml } from '../../shared/html.ts';

// The Markdown of docs/ as HTML: headings, paragraphs, lists, tables, quotes, blocks of code, bold, code,
// links and anchors. Pictures are left out, because a service does not have them.

/** The address that a link of the page leads to; undefined leaves its words alone. */
type LinkOf = (target: string) => string | undefined;

const anchorLink = (words: string, address: string | undefined): string =>
  address === undefined ? words : `<a href="${address}">${words}</a>`;

/** Text of one paragraph or cell as HTML. */
const inline = (text: string, linkOf: LinkOf): string => {
  const codes: string[] = [];
  // Code is kept as it is: no sign in it means bold or a link.
  const marked = text.replaceAll(/(`+)(.+?)\1(?!`)/gs, (_, _ticks, code: string) => {
    codes.push(`<code>${escapeHtml(code.trim().replaceAll('\\|', '|'))}</code>`);
    return `\uE000${codes.length - 1}\uE000`;
  });
  return escapeHtml(marked)
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/&lt;a id=&quot;([\w.-]+)&quot;&gt;&lt;\/a&gt;/g, '<a id="$1"></a>')
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words, target) =>
      anchorLink(words, linkOf(target)),
    )
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, '<em>$1</em>')
    .replaceAll(/\uE000(\d+)\uE000/g, (_, index) => codes[Number(index)]!);
};

/** The anchor of a heading, as GitHub makes it and links within docs/ write it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-');

const rowOf = (line: string, tag: 'th' | 'td', linkOf: LinkOf): string => {
  const cells = line.replace(/^\||\|$/g, '').split(/(?<!\\)\|/);
  return `<tr>${cells.map((cell) => `<${tag}>${inline(cell.trim(), linkOf)}</${tag}>`).join('')}</tr>`;
};

const tableOf = ([head, , ...body]: readonly string[], linkOf: LinkOf): string => {
  const rows = body.map((row) => rowOf(row, 'td', linkOf)).join('');
  return `<div class="wide"><table><thead>${rowOf(head!, 'th', linkOf)}</thead><tbody>${rows}</tbody></table></div>`;
};

const codeOf = (lines: readonly string[]): string =>
  `<pre tabindex="0"><code>${escapeHtml(lines.join('\n'))}</code></pre>`;

const ITEM = /^(?:-|\d+\.) +/;

/** Each item is its first line and the indented ones after it, which are blocks again. */
const listOf = (lines: readonly string[], linkOf: LinkOf): string => {
  const items: string[][] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push([line.replace(ITEM, '')]);
    else items.at(-1)!.push(line.replace(/^ {2,3}/, ''));
  }
  const tag = lines[0]!.startsWith('-') ? 'ul' : 'ol';
  const texts = items.map((item) => {
    const html = markdown(item.join('\n'), linkOf);
    // One paragraph needs no element of its own.
    return /^<p>(?:(?!<p>).)*<\/p>$/s.test(html) ? html.slice(3, -4) : html;
  });
  return `<${tag}>${texts.map((text) => `<li>${text}</li>`).join('')}</${tag}>`;
};

/** A kind of block: how its first line looks, which lines after it belong to it, and its HTML. */
interface Block {
  starts: RegExp;
  goesOn(line: string, next: string | undefined): boolean;
  html(lines: readonly string[], linkOf: LinkOf): string;
}

const blocks: readonly Block[] = [
  // A fence ends with the next one, which belongs to it.
  { starts: /^```/, goesOn: () => true, html: (lines) => codeOf(lines.slice(1, -1)) },
  { starts: /^<!--/, goesOn: () => false, html: () => '' },
  {
    starts: /^#{1,3} /,
    goesOn: () => false,
    html([line = ''], linkOf) {
      const [, marks = '', heading = ''] = /^(#+) (.+)$/.exec(line) ?? [];
      const tag = `h${marks.length}`;
      const id = heading.includes('<a id=') ? '' : ` id="${anchorOf(heading)}"`;
      return `<${tag}${id}>${inline(heading, linkOf)}</${tag}>`;
    },
  },
  { starts: /^\|/, goesOn: (line) => line.startsWith('|'), html: tableOf },
  {
    starts: ITEM,
    goesOn: (line, next) =>
      ITEM.test(line) ||
      line.startsWith('  ') ||
      (line === '' && /^(?: {2}|\d+\. )/.test(next ?? '')),
    html: listOf,
  },
  {
    starts: /^> /,
    goesOn: (line) => line.startsWith('>'),
    html: (lines, linkOf) =>
      `<blockquote>${inline(lines.map((line) => line.slice(2)).join(' '), linkOf)}</blockquote>`,
  },
  {
    starts: /^ {4}/,
    goesOn: (line) => line.startsWith('    '),
    html: (lines) => codeOf(lines.map((line) => line.slice(4))),
  },
];

const paragraph: Block = {
  starts: /./,
  goesOn: (line) => line !== '' && !blocks.some(({ starts }) => starts.test(line)),
  html: (lines, linkOf) => {
    const text = inline(lines.join(' '), linkOf).trim();
    return text === '' ? '' : `<p>${text}</p>`;
  },
};

/** A text as HTML. */
export const markdown = (text: string, linkOf: LinkOf): string => {
  const lines = text.split('\n');
  const done: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    let end = at + 1;
    if (line !== '') {
      const block = blocks.find(({ starts }) => starts.test(line)) ?? paragraph;
      const isFence = line.startsWith('```');
      while (end < lines.length && block.goesOn(lines[end]!, lines[end + 1])) {
        end += 1;
        if (isFence && lines[end - 1]!.startsWith('```')) break;
      }
      done.push(block.html(lines.slice(at, end), linkOf));
    }
    at = end;
  }
  return done.filter(Boolean).join('\n');
};
