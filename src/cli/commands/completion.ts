import { Argument, type Command } from 'commander';
import { createLocalAct } from '../program/context.ts';
import { withExtra } from '../program/help.ts';
import type { Io } from '../program/io.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

/** What may follow some words of a command line. */
interface Node {
  /** The words so far, joined by spaces; empty for the first. */
  path: string;
  words: readonly string[];
}

const optionsOf = (command: Command): string[] =>
  command.options.flatMap(({ long }) => (long ? [long] : []));

const namesOf = (command: Command): string[] => [command.name(), ...command.aliases()];

/** The program, its nouns and their verbs, as they are. */
const nodesOf = (program: Command): Node[] => {
  const everywhere = ['--help', ...optionsOf(program).filter((option) => option !== '--version')];
  const verbsOf = (noun: Command, name: string): Node[] =>
    noun.commands.flatMap((verb) =>
      namesOf(verb).map((word) => ({
        path: `${name} ${word}`,
        words: [...optionsOf(verb), ...optionsOf(noun), ...everywhere],
      })),
    );
  const nouns = program.commands.flatMap((noun) =>
    namesOf(noun).flatMap((name) => [
      {
        path: name,
        // A noun may act by itself, too, such as `send`.
        words: [
          ...noun.commands.map((verb) => verb.name()),
          ...choicesOf(noun),
          ...optionsOf(noun),
          ...(noun.commands.length === 0 || noun.options.length > 0 ? everywhere : []),
        ],
      },
      ...verbsOf(noun, name),
    ]),
  );
  const first = { path: '', words: program.commands.map((noun) => noun.name()) };
  return [first, ...nouns];
};

const choicesOf = (command: Command): readonly string[] =>
  command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []);

/** The words that lead to a node are at most two: a noun and a verb, or a command alone. */
const bash = (nodes: readonly Node[]): string => `\
_waybill() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "\${path:+$path }$word" in
${nodes
  .filter(({ path }) => path !== '')
  .map(({ path }) => `      '${path}') path='${path}' ;;`)
  .join('\n')}
    esac
  done
  case "$path" in
${nodes.map(({ path, words }) => `    '${path}') words='${words.join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _waybill waybill
`;

/** zsh runs completions of bash. */
const zsh = (nodes: readonly Node[]): string => `\
autoload -Uz compinit bashcompinit
(( $+functions[compdef] )) || compinit
bashcompinit
${bash(nodes)}`;

const fish = (nodes: readonly Node[]): string => {
  const lines = nodes.map(({ path, words }) => {
    const [noun, verb] = path.split(' ');
    const children = nodes.filter((node) => node.path.startsWith(`${path} `));
    const verbs = children.map((node) => node.path.slice(path.length + 1)).join(' ');
    const seen = noun ? `__fish_seen_subcommand_from ${noun}` : '__fish_use_subcommand';
    const after = verb ? `; and __fish_seen_subcommand_from ${verb}` : '';
    const before = verbs && noun ? `; and not __fish_seen_subcommand_from ${verbs}` : '';
    return `complete -c waybill -f -n '${seen}${after}${before}' -a '${words.join(' ')}'`;
  });
  return `${lines.join('\n')}\n`;
};

const scripts: Readonly<Record<(typeof shells)[number], (nodes: readonly Node[]) => string>> = {
  bash,
  zsh,
  fish,
};

/** `waybill completion`, made of the program's own nouns and verbs. */
export const addCompletion = (program: Command, io: Io): void => {
  const command = program
    .command('completion')
    .description('Print what completes nouns, verbs and options in your shell')
    .helpGroup('Setup:')
    .addArgument(new Argument('<shell>', shells.join(', ')).choices(shells))
    .action(
      createLocalAct(io)(async (_, shell: (typeof shells)[number]) => {
        io.stdout.write(scripts[shell](nodesOf(program)));
      }),
    );
  withExtra(command, {
    examples: [
      'completion bash > ~/.local/share/bash-completion/completions/waybill',
      'completion zsh  >> ~/.zshrc',
      'completion fish > ~/.config/fish/completions/waybill.fish',
    ],
  });
};
