import type { CommandShape, Values } from './command-shapes.js';

/** Completion for zsh: to be sourced, or a file `_placement-sync` in a folder of `fpath`. Pure. */
export function zshScript(shapes: readonly CommandShape[]): string {
  const taking = shapes.flatMap(({ path, options }) =>
    options.filter(({ takesValue }) => takesValue).map((option) => ({ path, option })),
  );
  const values = ({ words, files }: Values) =>
    files ? '_files' : words.length > 0 ? `compadd -- ${words.join(' ')}` : ':';
  const described = (items: readonly { name: string; description: string }[]) =>
    items.map(({ name, description }) => quoted(`${name}:${description}`)).join(' ');
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
      (${taking.map(({ path, option }) => option.flags.map((flag) => `'${path}:${flag}'`).join('|')).join('|')})
        option=$word ;;
${shapes
  .flatMap(({ path, children }) =>
    children.map(
      ({ name }) => `      ('${path}:${name}') at='${path === '' ? name : `${path} ${name}`}'; n=0 ;;`,
    ),
  )
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
${taking
  .filter(({ option }) => option.files || option.words.length > 0)
  .map(
    ({ path, option }) =>
      `      (${option.flags.map((flag) => `'${path}:${flag}'`).join('|')}) ${values(option)} ;;`,
  )
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

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
