import { styleText } from 'node:util';
import type { Command, Help, HelpConfiguration, Option } from 'commander';

const WIDTH = 80;
const WIDTH_MAX = 100;

type Entry = readonly [term: string, what: string];

interface Extra {
  /** Command lines, without `waybill` before them. */
  examples: readonly string[];
  /** Environment variables and what they are for. */
  environment?: readonly Entry[];
}

const extras = new WeakMap<Command, Extra>();

/** Adds examples and variables to the help of a command. */
export const withExtra = (command: Command, extra: Extra): Command => {
  extras.set(command, extra);
  return command;
};

const wordsOf = (command: Command): string[] =>
  command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );

const lineage = (command: Command): Command[] =>
  command.parent ? [...lineage(command.parent), command] : [command];

const pathOf = (command: Command): string =>
  lineage(command)
    .map((one) => one.name())
    .join(' ');

/** The examples of a verb are those of its noun that begin with it. */
const examplesOf = (command: Command): readonly string[] => {
  const own = extras.get(command)?.examples;
  if (own || !command.parent) return own ?? [];
  const start = `${command.parent.name()} ${command.name()}`;
  return examplesOf(command.parent).filter((line) => `${line} `.startsWith(`${start} `));
};

/** The command with all that it requires, in the order of typing. */
const usageOf = (command: Command): string => {
  if (command.commands.length > 0) return `${pathOf(command)} ${command.usage()}`;
  const musts = command.options.filter((option) => option.mandatory).map((option) => option.flags);
  return [pathOf(command), ...wordsOf(command), ...musts, '[options]'].join(' ');
};

const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);

const longest = (entries: readonly Entry[]): number =>
  Math.max(0, ...entries.map(([term]) => term.length));

const formatHelp = (command: Command, help: Help): string => {
  const { environment = [] } = extras.get(command) ?? {};
  const isNoun = command.parent !== null && command.commands.length > 0;
  const width = help.helpWidth ?? WIDTH;
  const section = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [`${help.styleTitle(title)}\n${lines.join('\n')}\n`] : [];
  const items = (entries: readonly Entry[], termWidth = longest(entries)) =>
    entries.map(([term, what]) => help.formatItem(term, termWidth, what, help));
  // A noun has no options of its own; the help of a verb shows those of the verb.
  const options = (title: string, list: readonly Option[]) =>
    isNoun ? [] : section(title, items(list.map(({ flags, description }) => [flags, description])));
  const entryOf = (sub: Command): Entry => [
    [sub.name(), ...wordsOf(sub)].join(' '),
    sub.description(),
  ];
  const verbsWidth = longest(command.commands.map(entryOf));
  const groups = Map.groupBy(help.visibleCommands(command), (sub) => sub.helpGroup() || 'Verbs:');
  return [
    `${help.styleTitle('Usage:')} ${indented(help.boxWrap(usageOf(command), width - 7), 7)}\n`,
    `${help.boxWrap(help.commandDescription(command), width)}\n`,
    ...[...groups].flatMap(([title, subs]) => section(title, items(subs.map(entryOf), verbsWidth))),
    ...options('Options:', help.visibleOptions(command)),
    ...options('Global options:', help.visibleGlobalOptions(command)),
    ...section('Environment:', items(environment)),
    ...section(
      'Examples:',
      examplesOf(command).map((line) => `  waybill ${line}`),
    ),
    ...(command.commands.length > 0
      ? [`More on a verb: ${pathOf(command)}${isNoun ? '' : ' <noun>'} <verb> --help\n`]
      : []),
  ].join('\n');
};

/** Commands first, examples last. */
export const helpConfiguration: HelpConfiguration = {
  showGlobalOptions: true,
  formatHelp,
  styleTitle: (title) => styleText('bold', title, { validateStream: false }),
  // Without the `help` command that commander adds.
  visibleCommands: (command) => [...command.commands],
  visibleGlobalOptions: (command) =>
    (lineage(command)[0]?.options ?? []).filter(
      (option) => command.parent !== null && option.long !== '--version',
    ),
};

/** Columns of a help text: 100 at most, because longer lines are hard to read. */
export const helpWidth = (columns: number | undefined): number =>
  Math.min(columns ?? WIDTH, WIDTH_MAX);
