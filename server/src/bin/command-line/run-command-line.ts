import { parseArgs } from 'node:util'
import { loadCommands, loadEveryCommand } from '../commands/command-table.ts'
import { readVersion } from '../version.ts'
import { type Command, type CommandInput, type CommandOutput, UsageError } from './command.ts'
import { explainFailure } from './explain-failure.ts'

export interface Terminal {
  out(text: string): void
  error(text: string): void
  readInput(): Promise<string>
  /** Missing if there is no terminal. */
  ask?(question: string): Promise<string>
}

/** Runs a command. Exit codes: 0 success, 1 rejected or failed, 2 wrong command line, 3 an audit found faults. */
export async function runCommandLine(words: readonly string[], terminal: Terminal): Promise<number> {
  if (words[0] === '--version') {
    terminal.out(`weir ${readVersion()} (Node ${process.versions.node})`)
    return 0
  }
  const near = await loadCommands(words[0])
  const command = findCommand(near, words)
  if (command === undefined) return showOverview(near, words, terminal)
  const wordCount = command.words.split(' ').length
  try {
    const parsed = parseInput(command, words.slice(wordCount), terminal)
    if (parsed.isHelp) {
      terminal.out(commandHelp(command))
      return 0
    }
    const output = await command.run(parsed.input)
    return output === undefined ? 0 : print(output, parsed.isJson, terminal)
  } catch (error) {
    if (error instanceof UsageError) {
      terminal.error(`${error.message}\n\n${commandHelp(command)}`)
      return 2
    }
    terminal.error(explainFailure(error))
    return 1
  }
}

function findCommand(commands: readonly Command[], words: readonly string[]): Command | undefined {
  return commands.find((command) => command.words.split(' ').every((word, place) => word === words[place]))
}

async function showOverview(near: readonly Command[], words: readonly string[], terminal: Terminal): Promise<number> {
  const [first] = words
  const asked = first === undefined || first === 'help' || words.includes('--help') || words.includes('-h')
  const text = overview(near.length > 0 ? near : await loadEveryCommand())
  if (asked) terminal.out(text)
  else terminal.error(`Unknown command: ${words.join(' ')}\n\n${text}`)
  return asked ? 0 : 2
}

function parseInput(command: Command, words: readonly string[], terminal: Terminal) {
  const { values, positionals } = parseWords(command, words)
  if (values['help'] === true) return { isHelp: true, isJson: false, input: readerOf([], values, terminal) }
  assertPositionals(command.positionals ?? [], positionals)
  return { isHelp: false, isJson: values['json'] === true, input: readerOf(positionals, values, terminal) }
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

function parseWords(command: Command, words: readonly string[]): { values: Values; positionals: string[] } {
  const options = Object.entries(command.options ?? {}).map(([name, option]) => {
    return [name, { type: option.type, multiple: option.multiple ?? false }] as const
  })
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        ...Object.fromEntries(options),
        help: { type: 'boolean', short: 'h' },
        json: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function assertPositionals(expected: readonly string[], given: readonly string[]): void {
  const takesRest = expected.at(-1)?.endsWith('…') ?? false
  const required = takesRest ? expected.slice(0, -1) : expected
  const missing = required[given.length]
  if (missing !== undefined) throw new UsageError(`Missing argument: ${missing}`)
  const surplus = takesRest ? undefined : given[required.length]
  if (surplus !== undefined) throw new UsageError(`Unexpected argument: ${surplus}`)
}

function readerOf(positionals: readonly string[], values: Values, terminal: Terminal): CommandInput {
  return {
    argument: (position) => positionals[position] ?? '',
    rest: (position) => positionals.slice(position),
    text(option) {
      const value = values[option]
      return typeof value === 'string' ? value : undefined
    },
    flag: (option) => values[option] === true,
    list(option) {
      const value = values[option]
      return Array.isArray(value) ? value.map(String) : []
    },
    readInput: () => terminal.readInput(),
    tell: (text) => terminal.error(text),
    ask: async (question) => (await terminal.ask?.(question)) ?? '',
  }
}

function print(output: CommandOutput, isJson: boolean, terminal: Terminal): number {
  if (isJson && output.data !== undefined) terminal.out(JSON.stringify(output.data, null, 2))
  else for (const line of output.lines) terminal.out(line)
  return output.exitCode ?? 0
}

/** Lists all commands, one per line. */
function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ words }) => words.length))
  return [
    'Usage: weir <command> [arguments]',
    '',
    ...commands.map(({ words, summary }) => `  ${words.padEnd(width)}  ${summary}`),
    '',
    'Run weir <command> --help for details. Settings come from environment variables and from the file in WEIR_CONFIG.',
  ].join('\n')
}

function commandHelp(command: Command): string {
  const options = Object.entries(command.options ?? {}).map(([name, option]) => ({
    form: `--${name}${option.type === 'string' ? ` ${option.value ?? '<text>'}` : ''}`,
    description: option.multiple === true ? `${option.description} Can be repeated.` : option.description,
  }))
  options.push({ form: '--json', description: 'Print the result as JSON, if the command returns one.' })
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
