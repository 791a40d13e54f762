import type { CommandShape, OptionShape } from './command-shapes.js';

/** Completion for fish: to be sourced, or a file in ~/.config/fish/completions. Pure. */
export function fishScript(shapes: readonly CommandShape[]): string {
  const taking = shapes.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .flatMap(({ flags }) => flags.map((flag) => `${path}:${flag}`)),
  );
  const steps = shapes.flatMap(({ path, children }) =>
    children.map(({ name }) => ({ from: `${path}:${name}`, to: path === '' ? name : `${path} ${name}` })),
  );
  const lines = shapes.flatMap(({ path, children, options, arguments: given }) => {
    const at = (n?: number) =>
      `complete -c placement-sync -n ${quoted(`__placement_sync_at '${path}'${n === undefined ? '' : ` ${n}`}`)}`;
    return [
      ...children.map(({ name, description }) => `${at(0)} -a ${name} -d ${quoted(description)}`),
      ...options.map((option) => `${at()} ${optionWords(option)}`),
      ...given.flatMap(({ words }, index) =>
        words.length > 0 ? [`${at(index)} -a ${quoted(words.join(' '))}`] : [],
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
            case ${taking.map(quoted).join(' ')}
                set skip yes
${steps
  .map(
    ({ from, to }) => `            case ${quoted(from)}
                set at ${quoted(to)}
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
  const choices = words.length > 0 ? [`-a ${quoted(words.join(' '))}`] : [];
  return [...names, ...value, ...choices, `-d ${quoted(description)}`].join(' ');
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
