import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { runHere } from './support.ts';

describe('waybill completion', () => {
  it('completes nouns, verbs, options and choices in bash', async () => {
    const { status, stdout } = await runHere(['completion', 'bash']);
    expect(status).to.equal(0);
    const typed = [
      ['mess'],
      ['message', ''],
      ['message', 'find', '--st'],
      ['--json', 'message', 'list', '--st'],
      ['completion', 'z'],
      ['send', 'order_shipped', '--te'],
      ['nothing', 'like', 'this', 'x'],
    ];
    const asked = typed.map(
      (words) =>
        `COMP_WORDS=(waybill ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _waybill; echo "\${COMPREPLY[*]}"`,
    );
    const printed = execFileSync('bash', ['-c', `${stdout}\n${asked.join('\n')}`], {
      encoding: 'utf8',
    });
    expect(printed.split('\n')).to.deep.equal([
      'message',
      'find show tail',
      '--status',
      '--status',
      'zsh',
      '--text --template',
      '',
      '',
    ]);
  });

  it('is made for zsh out of that for bash, and for fish of its own', async () => {
    const [bash, zsh, fish] = await Promise.all(
      ['bash', 'zsh', 'fish'].map((shell) => runHere(['completion', shell])),
    );
    expect(zsh!.stdout).to.include('bashcompinit').and.include(bash!.stdout);
    expect(fish!.stdout).to.match(
      /from message; and not .* find list show tail' -a 'find show tail'/,
    );
    expect(await runHere(['completion', 'csh'])).to.include({ status: 2 });
  });
});
