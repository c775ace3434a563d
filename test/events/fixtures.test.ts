import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { CHAIN_START, type Link } from '../../src/events/chain.ts';
import type { EventDefinition } from '../../src/events/define.ts';
import { decode, definitions, encode, keysFor, openEvent } from '../../src/events/index.ts';

const folder = new URL('../fixtures/events/', import.meta.url);

interface Specimen {
  type: string;
  version: number;
  data: unknown;
  /** What lies beside the text of a link. */
  link?: Link;
}

/** The data key of every sealed part. */
const KEY = new Uint8Array(32).fill(7);

const read = (name: string): Specimen => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

/** A specimen of every shape ever stored is kept, and never changed: the log may hold it still. */
describe('stored events', () => {
  const names = new Set(readdirSync(folder));

  it('have definitions of different names', () => {
    const types = definitions.map(({ type }) => type);
    expect(new Set<string>(types).size).to.equal(types.length);
  });

  for (const definition of definitions as unknown as readonly EventDefinition[]) {
    const { type } = definition;
    for (let version = 1; version <= definition.version; version += 1) {
      const name = `${type}.v${version}.json`;
      names.delete(name);

      it(`${type} of version ${version} can be read`, () => {
        const specimen = read(name);
        expect({ type: specimen.type, version: specimen.version }).to.deep.equal({ type, version });
        const stream = 'message-acc_0192f6a47c1e7b529d3e5a1f0c2b8e11.q3Zt8cPz0mW1xY5uK7aBdg';
        const place = { stream, revision: 0, position: '1' };
        const meta = { at: '2026-11-21T12:00:00.000Z', requestId: 'r-1' };
        const decoded = decode({ id: '1', ...specimen, meta, ...place });
        expect(decoded.type, JSON.stringify(decoded.data)).to.equal(type);
        expect(decoded.version).to.equal(definition.version);
        if (version !== definition.version) return;
        const { sealed: _, ...clear } = specimen.data as { sealed?: string };
        const keyless = { subjects: [], chain: CHAIN_START };
        expect(encode({ type, data: decoded.data }, meta, keyless).data).to.deep.equal(clear);
        const names = keysFor(decoded);
        const opened = openEvent(
          decoded,
          names,
          names.map(() => KEY),
        );
        expect(opened.type, JSON.stringify(opened.data)).to.equal(type);
      });
    }
  }

  it('have no specimen without a definition', () => {
    expect([...names]).to.deep.equal([]);
  });
});
