import { expect } from 'chai';
import {
  createSigner,
  isSignedBy,
  parseNote,
  parseVerifierKey,
} from '../../../src/audit/seals/note.ts';
import { checkpointText, parseSeal } from '../../../src/audit/seals/read-seals.ts';

// The published example of golang.org/x/mod/sumdb/note, on which C2SP signed-note is built.
const KEY = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const TEXT =
  'If you think cryptography is the answer to your problem,\n' +
  "then you don't know what your problem is.\n";
const NOTE = `${TEXT}\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n`;
const SEED = Buffer.from('AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz', 'base64').subarray(1);

// The examples of the two documents of C2SP; their keys are not published.
const CHECKPOINT = `example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
`;
const POEM = `Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
`;

describe('signed notes', () => {
  it('sign and check the published example', () => {
    const signer = createSigner('PeterNeumann', SEED);
    expect(signer.verifierKey).to.equal(KEY);
    expect(signer.sign(TEXT)).to.equal(NOTE);
    expect(isSignedBy(NOTE, [parseVerifierKey(KEY)])).to.equal(true);
  });

  it('are read as the documents show them', () => {
    const checkpoint = parseNote(CHECKPOINT)!;
    expect(checkpoint.text.split('\n')).to.have.length(4);
    expect(checkpoint.signatures.map(({ name }) => name)).to.deep.equal([
      'example.com/behind-the-sofa',
    ]);
    expect(checkpoint.signatures[0]!.id.toString('hex')).to.equal('033de0ae');
    expect(parseNote(POEM)!.text).to.match(/sole:\n\ned è subito sera\.\n$/);
  });

  it('hold under no other key, name or text', () => {
    const keys = [parseVerifierKey(KEY)];
    const other = createSigner('PeterNeumann', Buffer.alloc(32, 1));
    const sound = (note: string) => isSignedBy(note, keys);
    expect(sound(NOTE.replace('answer', 'Answer'))).to.equal(false);
    expect(sound(NOTE.replace('— PeterNeumann', '— Peter'))).to.equal(false);
    expect(sound(other.sign(TEXT))).to.equal(false);
    expect(isSignedBy(NOTE, [])).to.equal(false);
    // A further signature of an unknown key is no harm; a wrong one of a known key is.
    const [, line] = other.sign(TEXT).split('\n\n');
    expect(sound(`${NOTE}${line}`)).to.equal(true);
    const [, wrong] = createSigner('PeterNeumann', SEED).sign('Other\n').split('\n\n');
    expect(sound(`${NOTE}${wrong}`)).to.equal(false);
  });

  it('are no notes when cut, without a signature, or with control characters', () => {
    for (const text of ['', TEXT, `${TEXT}\n`, NOTE.slice(0, -1), `${NOTE}\n`, `\t${NOTE}`]) {
      expect(parseNote(text), JSON.stringify(text)).to.equal(undefined);
    }
  });

  it('have keys whose parts belong together', () => {
    for (const key of ['', 'PeterNeumann', KEY.replace('ARpc', 'ARpd'), `${KEY}AA`]) {
      expect(() => parseVerifierKey(key), key).to.throw(/verifier key/i);
    }
  });
});

describe('the text of a seal', () => {
  const root = 'bjQLnP+zepicpUTmu3gKLHiQHT+zNzh2hRGjBhevoB0=';
  const origin = 'waybill/0192f6a4-7c1e-7b52-9d3e-5a1f0c2b8e12';
  const old = [
    origin,
    '2',
    root,
    'seal 7',
    'time 2026-11-22T00:00:30.000Z',
    'position 0000000000000021',
    'newest 2f69e5769805ac551a5cafc253bee0503f46a04522e152f8acb985e94914daa6',
    `records 6 12 ${root}`,
  ];
  const noteOf = (lines: readonly string[]) =>
    createSigner(origin, SEED).sign(`${lines.join('\n')}\n`);

  it('is a checkpoint of three lines, and reads back as it was', () => {
    const text = checkpointText({ origin, size: 20, root });
    expect(text).to.equal(`${origin}\n20\n${root}\n`);
    const note = createSigner(origin, SEED).sign(text);
    expect(parseSeal(note)).to.deep.equal({ origin, size: 20, root, note });
  });

  it('of before has eight lines', () => {
    const note = noteOf(old);
    expect(parseSeal(note)).to.deep.equal({
      origin,
      size: 2,
      root,
      note,
      old: {
        number: 7,
        at: '2026-11-22T00:00:30.000Z',
        position: '0000000000000021',
        newest: '2f69e5769805ac551a5cafc253bee0503f46a04522e152f8acb985e94914daa6',
        records: { since: 6, size: 12, root },
      },
    });
  });

  it('is refused with another line, one less or one more', () => {
    for (const lines of [old, old.slice(0, 3)]) {
      expect(parseSeal(noteOf(lines))).to.not.equal(undefined);
      expect(parseSeal(noteOf([...lines, 'more']))).to.equal(undefined);
      for (const index of lines.keys()) {
        expect(parseSeal(noteOf(lines.toSpliced(index, 1)))).to.equal(undefined);
        expect(parseSeal(noteOf(lines.with(index, `${lines[index]} x`)))).to.equal(undefined);
      }
    }
  });
});
