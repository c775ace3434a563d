import { AnyProof, type Proof } from './proof.ts';

// A proof as a text that other programs read: C2SP tlog-proof. Its line `extra` holds the charge as JSON,
// whose hash is the entry.

const HEADER = 'c2sp.org/tlog-proof@v1';
const BODY =
  /^extra (?<extra>[0-9A-Za-z+/]+=*)\nindex (?<index>0|[1-9]\d{0,14})\n(?<path>(?:[0-9A-Za-z+/]{43}=\n){0,64})\n(?<note>[\s\S]+)$/;

export const tlogProof = ({ link, index, path, note }: Proof): string => {
  const extra = Buffer.from(JSON.stringify(link)).toString('base64');
  return `${[HEADER, `extra ${extra}`, `index ${index}`, ...path].join('\n')}\n\n${note}`;
};

const linkIn = (extra: string): unknown => {
  try {
    return JSON.parse(Buffer.from(extra, 'base64').toString());
  } catch {
    return undefined;
  }
};

export const isTlogProof = (text: string): boolean => text.startsWith(`${HEADER}\n`);

/** Undefined for a text that is no such proof of a charge. */
export const parseTlogProof = (text: string): AnyProof | undefined => {
  const found = BODY.exec(text.slice(HEADER.length + 1))?.groups;
  if (!isTlogProof(text) || !found) return undefined;
  const { extra = '', index, path = '', note = '' } = found;
  const size = Number(note.split('\n')[1]);
  const hashes = path.split('\n').slice(0, -1);
  return AnyProof.safeParse({ link: linkIn(extra), index: Number(index), size, path: hashes, note })
    .data;
};
