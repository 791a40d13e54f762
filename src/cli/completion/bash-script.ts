import type { CommandShape, Values } from './command-shapes.js';

/** Completion for bash, from version 3.2 (macOS) on. To be sourced. Pure. */
export function bashScript(shapes: readonly CommandShape[]): string {
  const taking = shapes.flatMap(({ path, options }) =>
    options.filter(({ takesValue }) => takesValue).map((option) => ({ path, option })),
  );
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
      ${taking.map(({ path, option }) => option.flags.map((flag) => `'${path}:${flag}'`).join(' | ')).join(' | \\\n      ')})
        option="$word" ;;
${shapes
  .flatMap(({ path, children }) =>
    children.map(
      ({ name }) => `      '${path}:${name}') at='${path === '' ? name : `${path} ${name}`}' n=0 ;;`,
    ),
  )
  .join('\n')}
      *:-*) ;;
      *) n=$((n + 1)) ;;
    esac
  done
  if [[ -n $option ]]; then
    case "$at:$option" in
${taking
  .filter(({ option }) => option.files || option.words.length > 0)
  .map(
    ({ path, option }) =>
      `      ${option.flags.map((flag) => `'${path}:${flag}'`).join(' | ')}) ${values(option)} ;;`,
  )
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
  .flatMap(({ path, children, arguments: given }) => [
    ...(children.length > 0
      ? [`      '${path}:0') _placement_sync_words '${children.map(({ name }) => name).join(' ')}' ;;`]
      : given.map((argument, index) => `      '${path}:${index}') ${values(argument)} ;;`)),
  ])
  .join('\n')}
  esac
}

complete -F _placement_sync placement-sync
`;
}
