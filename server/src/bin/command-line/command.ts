import type { JsonValue } from '#lib/json.ts'

/** One operator command. The help, the parser and the runner all read this definition. */
export interface Command {
  /** The words after `weir`. */
  readonly words: string
  readonly summary: string
  /**
   * Required positional arguments, in order. If the last one ends in `…`, it takes all remaining arguments, possibly
   * none.
   */
  readonly positionals?: readonly string[]
  readonly options?: Readonly<Record<string, CommandOption>>
  readonly run: (input: CommandInput) => Promise<CommandOutput | undefined>
}

export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly multiple?: true
  /** The placeholder for the value in the help: `<usd>`. */
  readonly value?: string
  readonly description: string
}

export interface CommandInput {
  /** The positional argument at this index. */
  argument(position: number): string
  /** All positional arguments from this index on. */
  rest(position: number): string[]
  text(option: string): string | undefined
  flag(option: string): boolean
  list(option: string): string[]
  /** Reads all of standard input. */
  readInput(): Promise<string>
  /** Prints a message for the operator while the command runs. It is not part of the output. */
  tell(text: string): void
  /** The line that a person types after the question, or empty if there is no terminal. */
  ask(question: string): Promise<string>
}

export interface CommandOutput {
  /** Output for people. */
  readonly lines: readonly string[]
  /** Output for `--json`. Amounts are decimal strings. */
  readonly data?: JsonValue
  /** Defaults to 0. */
  readonly exitCode?: number
}

/** A wrong command line. The command prints its usage and exits with code 2. */
export class UsageError extends Error {}
