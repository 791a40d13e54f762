import type { Argument, Command, Option } from 'commander';
import { ENTITY_NAMES } from '../../entities/registry.js';

/** Each option that takes a value, with the places at which it begins: command and flag, quoted for a shell. */
function optionsWithValue(shapes: readonly CommandShape[]) {
  return shapes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map((option) => ({ option, places: option.flags.map((flag) => `'${path}:${flag}'`) })),
  );
}

function steps(shapes: readonly CommandShape[]) {
  return shapes.flatMap(({ path, children }) =>
    children.map(({ name }) => ({ from: `${path}:${name}`, to: path === '' ? name : `${path} ${name}` })),
  );
}

/** Completion for bash, from version 3.2 (macOS) on. To be sourced. */
export function bashScript(shapes: readonly CommandShape[]): string {
  const values = ({ words, files }: Values) =>
    files ? '_placement_sync_files' : words.length > 0 ? `_placement_sync_words '${words.join(' ')}'` : ':';
  return `# bash completion for placement-sync; put this into ~/.bashrc: source <(placement-sync completion bash)

_placement_sync_words() {
  COMPREPLY=($(compgen -W "$1" -- "$cur"))
}

_placement_sync_files() {
  # Readline completes files itself, blanks in names included; bash 3.2 has no option for it.
  compopt -o default 2>/dev/null || COMPREPLY=($(compgen -f -- "$cur"))
}

_placement_sync() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" at= option= word i n=0
  COMPREPLY=()
  if [[ $cur == = ]]; then cur=; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
    # bash divides --option=value at the sign.
    if [[ $word == = ]]; then continue; fi
    if [[ -n $option ]]; then option=; continue; fi
    case "$at:$word" in
      ${optionsWithValue(shapes)
        .map(({ places }) => places.join(' | '))
        .join(' | \\\n      ')})
        option="$word" ;;
${steps(shapes)
  .map(({ from, to }) => `      '${from}') at='${to}' n=0 ;;`)
  .join('\n')}
      *:-*) ;;
      *) n=$((n + 1)) ;;
    esac
  done
  if [[ -n $option ]]; then
    case "$at:$option" in
${optionsWithValue(shapes)
  .filter(({ option }) => option.files || option.words.length > 0)
  .map(({ places, option }) => `      ${places.join(' | ')}) ${values(option)} ;;`)
  .join('\n')}
    esac
    return
  fi
  if [[ $cur == -* ]]; then
    case "$at" in
${shapes
  .map(
    ({ path, options }) =>
      `      '${path}') _placement_sync_words '${options.flatMap(({ flags }) => flags).join(' ')}' ;;`,
  )
  .join('\n')}
    esac
    return
  fi
  case "$at:$n" in
${shapes
  .flatMap(({ path, children, arguments: given }) =>
    children.length > 0
      ? [`      '${path}:0') _placement_sync_words '${children.map(({ name }) => name).join(' ')}' ;;`]
      : given.map((argument, index) => `      '${path}:${index}') ${values(argument)} ;;`),
  )
  .join('\n')}
  esac
}

complete -F _placement_sync placement-sync
`;
}

/** Completion for zsh: to be sourced, or a file `_placement-sync` in a folder of `fpath`. */
export function zshScript(shapes: readonly CommandShape[]): string {
  const values = ({ words, files }: Values) =>
    files ? '_files' : words.length > 0 ? `compadd -- ${words.join(' ')}` : ':';
  const described = (items: readonly { name: string; description: string }[]) =>
    items.map(({ name, description }) => quotedForZsh(`${name}:${description}`)).join(' ');
  return `#compdef placement-sync
# zsh completion for placement-sync; put this into ~/.zshrc, after compinit: source <(placement-sync completion zsh)

_placement_sync() {
  local at='' option='' word
  local -a found
  integer i n=0
  for ((i = 2; i < CURRENT; i++)); do
    word=\${words[i]}
    if [[ -n $option ]]; then option=''; continue; fi
    case "$at:$word" in
      (${optionsWithValue(shapes)
        .flatMap(({ places }) => places)
        .join('|')})
        option=$word ;;
${steps(shapes)
  .map(({ from, to }) => `      ('${from}') at='${to}'; n=0 ;;`)
  .join('\n')}
      (*:-*) ;;
      (*) n=$((n + 1)) ;;
    esac
  done
  if [[ -z $option && \${words[CURRENT]} == --*=* ]]; then
    option=\${words[CURRENT]%%=*}
    compset -P '*='
  fi
  if [[ -n $option ]]; then
    case "$at:$option" in
${optionsWithValue(shapes)
  .filter(({ option }) => option.files || option.words.length > 0)
  .map(({ places, option }) => `      (${places.join('|')}) ${values(option)} ;;`)
  .join('\n')}
    esac
    return
  fi
  if [[ \${words[CURRENT]} == -* ]]; then
    case "$at" in
${shapes
  .map(({ path, options }) => {
    const items = options.flatMap(({ flags, description }) => flags.map((name) => ({ name, description })));
    return `      ('${path}') found=(${described(items)}) ;;`;
  })
  .join('\n')}
    esac
    _describe -o option found
    return
  fi
  case "$at:$n" in
${shapes
  .flatMap(({ path, children, arguments: given }) =>
    children.length > 0
      ? [`      ('${path}:0') found=(${described(children)}); _describe command found ;;`]
      : given.map((argument, index) => `      ('${path}:${index}') ${values(argument)} ;;`),
  )
  .join('\n')}
  esac
}

if [[ \${funcstack[1]} == _placement-sync ]]; then
  _placement_sync "$@"
else
  compdef _placement_sync placement-sync
fi
`;
}

function quotedForZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Completion for fish: to be sourced, or a file in ~/.config/fish/completions. */
export function fishScript(shapes: readonly CommandShape[]): string {
  const lines = shapes.flatMap(({ path, children, options, arguments: given }) => {
    const at = (n?: number) =>
      `complete -c placement-sync -n ${quotedForFish(`__placement_sync_at '${path}'${n === undefined ? '' : ` ${n}`}`)}`;
    return [
      ...children.map(({ name, description }) => `${at(0)} -a ${name} -d ${quotedForFish(description)}`),
      ...options.map((option) => `${at()} ${optionWords(option)}`),
      ...given.flatMap(({ words }, index) =>
        words.length > 0 ? [`${at(index)} -a ${quotedForFish(words.join(' '))}`] : [],
      ),
    ];
  });
  return `# fish completion for placement-sync; placement-sync completion fish > ~/.config/fish/completions/placement-sync.fish

function __placement_sync_at
    set -l at ''
    set -l n 0
    set -l skip no
    for word in (commandline -opc)[2..-1]
        if test $skip = yes
            set skip no
            continue
        end
        switch "$at:$word"
            case ${optionsWithValue(shapes)
              .flatMap(({ places }) => places)
              .join(' ')}
                set skip yes
${steps(shapes)
  .map(
    ({ from, to }) => `            case ${quotedForFish(from)}
                set at ${quotedForFish(to)}
                set n 0`,
  )
  .join('\n')}
            case '*:-*'
            case '*'
                set n (math $n + 1)
        end
    end
    test "$at" = "$argv[1]"; and begin
        test (count $argv) -eq 1; or test $n -eq $argv[2]
    end
end

complete -c placement-sync -f
${lines.join('\n')}
`;
}

function optionWords({ flags, takesValue, words, files, description }: OptionShape): string {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
  const value = files ? ['-r -F'] : takesValue ? ['-x'] : [];
  const choices = words.length > 0 ? [`-a ${quotedForFish(words.join(' '))}`] : [];
  return [...names, ...value, ...choices, `-d ${quotedForFish(description)}`].join(' ');
}

function quotedForFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What may follow in one place: one of some words, a file, or anything. */
interface Values {
  readonly words: readonly string[];
  readonly files: boolean;
}

interface OptionShape extends Values {
  readonly flags: readonly string[];
  readonly takesValue: boolean;
  readonly description: string;
}

export interface CommandShape {
  /** Names of the commands below the program, joined by blanks; empty: the program itself. */
  readonly path: string;
  readonly children: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly OptionShape[];
  readonly arguments: readonly Values[];
}

/** The program and every command below it, as its help shows them. */
export function commandShapes(command: Command, path: readonly string[] = []): readonly CommandShape[] {
  const help = command.createHelp();
  const shape: CommandShape = {
    path: path.join(' '),
    children: help
      .visibleCommands(command)
      .map((child) => ({ name: child.name(), description: firstLine(child.description()) })),
    options: help.visibleOptions(command).map(optionShape),
    arguments: command.registeredArguments.map(argumentValues),
  };
  return [shape, ...command.commands.flatMap((child) => commandShapes(child, [...path, child.name()]))];
}

function optionShape(option: Option): OptionShape {
  const { short, long, argChoices, flags, description } = option;
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    takesValue: option.required || option.optional,
    description: firstLine(description),
    words: long === '--entity' ? ENTITY_NAMES : (argChoices ?? []),
    files: /<(file|dir)>/.test(flags),
  };
}

function argumentValues(argument: Argument): Values {
  return { words: argument.name() === 'entity' ? ENTITY_NAMES : (argument.argChoices ?? []), files: false };
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? '';
}
