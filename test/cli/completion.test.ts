import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { answered } from '../support/answered.ts';
import { runHere } from './support.ts';

describe('waybill completion', () => {
  it('completes nouns, verbs, options and choices in bash', async () => {
    const { stdout } = await answered(0, runHere('completion bash'));
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
    const program = `${stdout}\n${asked.join('\n')}`;
    const printed = execFileSync('bash', ['-c', program], { encoding: 'utf8' });
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
    const of = async (shell: string) => (await runHere(`completion ${shell}`)).stdout;
    expect(await of('zsh'))
      .to.include('bashcompinit')
      .and.include(await of('bash'));
    const verbs = /from message; and not .* find list show tail' -a 'find show tail'/;
    expect(await of('fish')).to.match(verbs);
    expect(await runHere('completion csh')).to.include({ status: 2 });
  });
});
