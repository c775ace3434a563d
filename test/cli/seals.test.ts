import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { base64, rootOf } from '../../src/audit/seals/merkle.ts';
import { parseSeal } from '../../src/audit/seals/read-seals.ts';
import { readSealsText } from '../../src/audit/seals/seals-file.ts';
import { hashesIn } from '../../src/audit/seals/tree.ts';
import { answered } from '../support/answered.ts';
import { folderInSuite } from '../support/folder.ts';
import { copyOf, rewriteChain } from '../support/sealed-books.ts';
import { useTenant } from '../support/surface.ts';
import {
  orderShipped,
  providerAccepts,
  providerHasTemplates,
  templateAnswer,
} from '../support/waybill.ts';
import { runHere, runnerAt } from './support.ts';

describe('waybill ledger seal, key and proof', () => {
  const on = useTenant(
    { once: true, credits: 10 },
    { seals: { key: Buffer.alloc(32, 5), file: null, url: null } },
  );
  const folder = folderInSuite();
  const at = (name: string) => join(folder.path, name);
  let chargeId: string;
  let key: string;
  before(async () => {
    providerHasTemplates(on.tenant, templateAnswer('order_shipped'));
    providerAccepts(on.tenant);
    await answered(200, on.call('POST', '/v1/notifications/send', orderShipped()));
    const { body } = await on.call('GET', '/v1/credits');
    chargeId = JSON.parse(body.transactions[0].metadata).chargeId;
  });

  const run = runnerAt(() => on.waybill, 'ledger');
  /** Without a service. */
  const away = (...args: string[]) => runHere(['ledger', ...args], { env: {} });
  const sound = (running: ReturnType<typeof run>) => answered(0, running);
  /** The files of the service, with a larger grant in a chain that was hashed anew. */
  const forgedFiles = () => {
    const copy = copyOf(on.waybill.directory);
    rewriteChain(copy.path, on.tenant.accountId, ({ type, data }) => {
      if (type === 'CreditsGranted') data.amount += 1000;
    });
    return copy;
  };

  it('print the verifier key, and add the seals that a file lacks', async () => {
    key = (await sound(run('key'))).stdout.trim();
    expect(key).to.match(/^waybill\/[-0-9a-f]+\+[0-9a-f]{8}\+[\w+/=]+$/);
    await sound(run('seal', '--out', at('seals.txt')));
    await sound(run('seal'));
    const { stdout } = await sound(run('seal', '--out', at('seals.txt')));
    expect(stdout).to.match(/^Made seal 3 of .*, and all seals are in /);
    const kept = readSealsText(readFileSync(at('seals.txt'), 'utf8'));
    expect(kept).to.have.length(3);
  });

  it('verify the service and its files with kept seals and the key', async () => {
    await on.waybill.settled();
    const given = ['--seals', at('seals.txt'), '--key', key];
    for (const source of [[], ['--data', on.waybill.directory]]) {
      const { stderr } = await sound(run('verify', ...source, ...given));
      expect(stderr).to.match(/3 seals up to number 3 of .* hold; signed by the key/);
    }
    writeFileSync(at('empty.txt'), '\n');
    for (const source of [[], ['--data', on.waybill.directory]]) {
      const refused = await run('verify', ...source, '--seals', at('empty.txt'), '--key', key);
      expect(refused.status).to.not.equal(0);
      expect(refused.stderr).to.include('There is no seal in it');
    }
    const forged = forgedFiles();
    const found = await answered(1, away('verify', '--data', forged.path, ...given));
    forged.remove();
    expect(found.stderr).to.match(/seal {2}acc_/);
    expect((await run('verify', on.tenant.accountId, ...given)).status).to.equal(2);
  });

  it('prove a charge, which is checked without a service', async () => {
    await sound(run('proof', chargeId, '--out', at('proof.json')));
    const offline = await sound(away('proof', chargeId, '--data', on.waybill.directory));
    expect(JSON.parse(offline.stdout)).to.deep.equal(
      JSON.parse(readFileSync(at('proof.json'), 'utf8')),
    );
    const { stdout } = await sound(away('proof', '--file', at('proof.json'), '--key', key));
    const sentences = [
      `^The proof holds: the seal of \\d+ entries covers ${chargeId}\\.`,
      `Account ${on.tenant.accountId} was charged 1 credit at 2026-11-21T12:\\S+Z\\.`,
      'It was for a message in UTILITY, market India, at 0\\.00168 USD by plan standard version 1, rate card default-usd-2026-10\\.',
      'The seal is of waybill/\\S+, its root \\S+=\\. Whether the charge was given back later is not in it\\.',
      'That the charge is of this account, the chain in its export proves\\.\n$',
    ];
    expect(stdout).to.match(new RegExp(sentences.join('\n')));
    const changed = readFileSync(at('proof.json'), 'utf8').replace('"amount": -1', '"amount": -2');
    writeFileSync(at('changed.json'), changed);
    const refused = await answered(1, away('proof', '--file', at('changed.json'), '--key', key));
    expect(refused.stderr).to.include('the charge was changed');
    expect((await away('proof', '--file', at('proof.json'))).status).to.equal(2);
    await sound(run('proof', chargeId, '--out', at('charge.tlog-proof')));
    const text = await sound(away('proof', '--file', at('charge.tlog-proof'), '--key', key));
    expect(text.stdout).to.equal(stdout);
    expect((await run('proof', 'nothing')).status).to.equal(1);
  });

  it('export a month that another machine checks with the seals and the key', async () => {
    const file = at('export.jsonl');
    await sound(run('export', on.tenant.accountId, '--proof', '--out', file));
    const given = ['--seals', at('seals.txt'), '--key', key];
    const { stderr } = await sound(away('verify', '--file', file, ...given));
    expect(stderr).to.match(/1 seal up to number 3 of .* hold; signed by the key/);
    expect(stderr).to.match(/^The proof does not cover 1 line:\n {2}line \d+ {2}names, issuers, /m);
    // In a folder, the log of entries is beside it: as it is served, and from the files.
    for (const [name, source] of [
      ['served', []],
      ['copied', ['--data', on.waybill.directory]],
    ] as const) {
      mkdirSync(at(name));
      await sound(run('export', on.tenant.accountId, '--proof', ...source, '--out', at(name)));
      const note = readFileSync(join(at(name), 'checkpoint'), 'utf8');
      const { size, root } = parseSeal(note)!;
      const tile = readFileSync(join(at(name), `tile/0/000.p/${size}`));
      expect(base64(rootOf(hashesIn(tile)))).to.equal(root);
      expect(readFileSync(join(at(name), `tile/entries/000.p/${size}`))).to.have.length(34 * size);
      const exported = join(at(name), `${on.tenant.accountId}.jsonl`);
      await sound(away('verify', '--file', exported, ...given));
    }
    // A chain that was hashed anew is sound by itself, and not the sealed one.
    const copy = forgedFiles();
    const forged = at('forged.jsonl');
    await sound(away('export', on.tenant.accountId, '--data', copy.path, '--out', forged));
    copy.remove();
    await sound(away('verify', '--file', forged));
    const [proof] = readFileSync(file, 'utf8').split('\n');
    writeFileSync(forged, `${proof}\n${readFileSync(forged, 'utf8')}`);
    const found = await answered(1, away('verify', '--file', forged, ...given));
    expect(found.stderr).to.match(/seal .* the seal covers/);
    await sound(run('export', on.tenant.accountId, '--out', at('plain.jsonl')));
    const plain = await away('verify', '--file', at('plain.jsonl'), ...given);
    expect(plain.stderr).to.include('write one with waybill ledger export --proof');
  });
});
