import { expect } from 'chai';
import fc from 'fast-check';
import {
  createTiledTree,
  type Growth,
  isConsistent,
  leafHash,
  pathOf,
  rootFrom,
  rootOf,
  TILE,
} from '../../../src/audit/seals/merkle.ts';
import { pathOfIndex, tilePaths } from '../../../src/audit/seals/tiles.ts';
import { createGrowingTree, createTreeReader } from '../../../src/audit/seals/tree.ts';

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');
const bytes = (text: string) => Buffer.from(text, 'hex');

// The reference leaves of Certificate Transparency, and the roots of their first n.
const leaves = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((text) => leafHash(bytes(text)));
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const paths: readonly [index: number, size: number, path: readonly string[]][] = [
  [0, 1, []],
  [
    0,
    8,
    [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  ],
  [
    5,
    8,
    [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [2, 3, ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125']],
];

describe('the Merkle tree of seals', () => {
  it('has the roots of the reference trees of Certificate Transparency', () => {
    expect(roots.map((_, size) => hex(rootOf(leaves.slice(0, size))))).to.deep.equal(roots);
  });

  it('has the paths of the reference trees, which lead to their roots', () => {
    for (const [index, size, path] of paths) {
      expect(pathOf(leaves.slice(0, size), index).map(hex)).to.deep.equal(path);
      const root = rootFrom(leaves[index]!, { index, size, path: path.map(bytes) });
      expect(hex(root)).to.equal(roots[size]);
    }
  });

  it('takes no path of another leaf, place or size, nor one that is too short or too long', () => {
    const path = pathOf(leaves, 5);
    const right = { index: 5, size: 8, path };
    expect(hex(rootFrom(leaves[5]!, right))).to.equal(roots[8]);
    const wrong = [
      { ...right, index: 4 },
      { ...right, index: 13 },
      { ...right, index: -1 },
      { ...right, size: 5 },
      { ...right, size: 33 },
      { ...right, path: path.slice(1) },
      { ...right, path: [...path, path[0]!] },
      { ...right, path: [bytes('00'), ...path.slice(1)] },
    ];
    for (const one of wrong) expect(hex(rootFrom(leaves[5]!, one))).to.not.equal(roots[8]);
    expect(hex(rootFrom(leaves[4]!, right))).to.not.equal(roots[8]);
  });

  it('proves each leaf of a tree of any size', () => {
    const size = fc.integer({ min: 1, max: 70 });
    fc.assert(
      fc.property(size, fc.nat(), (count, at) => {
        const index = at % count;
        const all = Array.from({ length: count }, (_, n) => leafHash(`leaf ${n}`));
        const inclusion = { index, size: count, path: pathOf(all, index) };
        expect(hex(rootFrom(all[index]!, inclusion))).to.equal(hex(rootOf(all)));
      }),
      { numRuns: 60 },
    );
  });

  it('grows by tiles to the same root', () => {
    for (const size of [0, 1, TILE - 1, TILE, TILE + 1, 3 * TILE + 7]) {
      const tree = createTiledTree();
      const data = Array.from({ length: size }, (_, n) => `record ${n}`);
      const firsts = data.filter((one) => tree.add(one));
      expect(firsts).to.have.length(Math.ceil(size / TILE));
      expect(tree.tiles()).to.have.length(firsts.length);
      expect(hex(tree.root())).to.equal(hex(rootOf(data.map((one) => leafHash(one)))));
    }
  });
});

const entryOf = (index: number): Buffer => leafHash(`entry ${index}`);

/** A tree of so many entries, and how it is read. */
const grow = (size: number) => {
  const tree = createGrowingTree();
  const full = new Map<string, readonly Uint8Array[]>();
  const entries = Array.from({ length: size }, (_, index) => entryOf(index));
  for (const entry of entries) {
    for (const { level, index, hashes } of tree.add(entry)) full.set(`${level}/${index}`, hashes);
  }
  const open = tree.open();
  const reader = createTreeReader(
    async (level, index) => full.get(`${level}/${index}`) ?? open[level] ?? [],
  );
  const leaves = entries.map((entry) => leafHash(entry));
  return { tree, reader, leaves, rootAt: (at: number) => rootOf(leaves, 0, at) };
};

/** Proofs that the reference tree has grown, which the tests of Certificate Transparency have. */
const proofs: readonly [from: number, to: number, proof: readonly string[]][] = [
  [1, 1, []],
  // The path of its only leaf.
  [1, 8, paths[1]![2]],
  [
    6,
    8,
    [
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  ],
  [
    2,
    5,
    [
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  ],
];

describe('the log of entries', () => {
  it('takes the reference proofs that a tree has only grown, and none for others', () => {
    for (const [from, to, proof] of proofs) {
      const growth = (older: number, newer: number): Growth => ({
        from: { size: older, root: bytes(roots[older]!) },
        to: { size: newer, root: bytes(roots[newer]!) },
      });
      const hashes = proof.map(bytes);
      expect(isConsistent(growth(from, to), hashes), `${from} ${to}`).to.equal(true);
      if (from === to) continue;
      const wrong = growth(from, to);
      wrong.from.root = bytes(roots[to]!);
      expect(isConsistent(wrong, hashes)).to.equal(false);
      expect(isConsistent(growth(from, to), hashes.slice(1))).to.equal(false);
      expect(isConsistent(growth(from, to), [...hashes, hashes[0]!])).to.equal(false);
      expect(isConsistent(growth(to, from), hashes)).to.equal(false);
    }
  });

  it('has the root of all its leaves, and a proof for each of them and each earlier size', async () => {
    const size = fc.integer({ min: 1, max: 3 * TILE });
    await fc.assert(
      fc.asyncProperty(size, fc.nat(), fc.nat(), async (count, at, before) => {
        const { tree, reader, leaves, rootAt } = grow(count);
        expect(tree.size()).to.equal(count);
        expect(hex(tree.root())).to.equal(hex(rootAt(count)));
        const index = at % count;
        const path = await reader.inclusion(index, count);
        expect(hex(rootFrom(leaves[index]!, { index, size: count, path }))).to.equal(
          hex(tree.root()),
        );
        const old = before % (count + 1);
        const growth = {
          from: { size: old, root: rootAt(old) },
          to: { size: count, root: tree.root() },
        };
        expect(isConsistent(growth, await reader.consistency(old, count))).to.equal(true);
      }),
      {
        numRuns: 40,
        examples: [
          [TILE, 3, 5],
          [2 * TILE, 300, TILE],
          [1, 0, 0],
        ],
      },
    );
  });

  it('goes on from its open tiles alone', () => {
    const { tree, rootAt } = grow(2 * TILE + 3);
    const again = createGrowingTree(grow(TILE + 9).tree.open());
    for (let index = TILE + 9; index < 2 * TILE + 3; index += 1) again.add(entryOf(index));
    expect(hex(again.root())).to.equal(hex(tree.root()));
    expect(hex(again.root())).to.equal(hex(rootAt(2 * TILE + 3)));
  });

  it('names its tiles as C2SP tlog-tiles does', () => {
    const paths = [...tilePaths(70_000)];
    expect(paths.filter((path) => /^tile\/0\/\d+$/.test(path))).to.have.length(273);
    const others = paths.filter((path) => !/^tile\/(0|entries)\/\d+$/.test(path));
    expect(others).to.deep.equal([
      'tile/entries/273.p/112',
      'tile/0/273.p/112',
      'tile/1/000',
      'tile/1/001.p/17',
      'tile/2/000.p/1',
    ]);
    expect([...tilePaths(256)]).to.deep.equal(['tile/entries/000', 'tile/0/000', 'tile/1/000.p/1']);
    expect(pathOfIndex(1_234_067)).to.equal('x001/x234/067');
  });
});
