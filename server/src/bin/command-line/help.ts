import type { Command } from './command.ts'

/** What can be done, a line each. */
export function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ words }) => words.length))
  return [
    'Usage: weir <command> [arguments]',
    '',
    ...commands.map(({ words, summary }) => `  ${words.padEnd(width)}  ${summary}`),
    '',
    'weir <command> --help describes a command. Settings come from the environment and from the file in WEIR_CONFIG.',
  ].join('\n')
}

export function commandHelp(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, option]) => ({
    form: `--${name}${option.type === 'string' ? ` ${option.value ?? '<text>'}` : ''}`,
    description: option.multiple === true ? `${option.description} May be repeated.` : option.description,
  }))
  options.push({ form: '--json', description: 'Print the result as JSON, where there is one.' })
  const width = Math.max(...options.map(({ form }) => form.length))
  const positionals = (command.positionals ?? []).map((name) => (name.endsWith('…') ? `[${name}]` : `<${name}>`))
  return [
    `Usage: ${['weir', command.words, ...positionals, '[options]'].join(' ')}`,
    '',
    command.summary,
    '',
    ...options.map(({ form, description }) => `  ${form.padEnd(width)}  ${description}`),
  ].join('\n')
}
