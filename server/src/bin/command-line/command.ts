import type { JsonValue } from '#lib/json.ts'

/** One thing an operator can do, described once: the help, the parser and the runner all read this. */
export interface Command {
  /** As typed after `weir`. */
  readonly words: string
  readonly summary: string
  /** Required positional arguments, in order. A last one that ends in `…` takes all that follow, perhaps none. */
  readonly positionals?: readonly string[]
  readonly options?: Readonly<Record<string, CommandOption>>
  readonly run: (input: CommandInput) => Promise<CommandOutput | undefined>
}

export interface CommandOption {
  readonly type: 'string' | 'boolean'
  readonly multiple?: true
  /** What stands for the value in the help: `<usd>`. */
  readonly value?: string
  readonly description: string
}

export interface CommandInput {
  /** The positional argument at this place. */
  argument(position: number): string
  /** All positional arguments from this place on. */
  rest(position: number): string[]
  text(option: string): string | undefined
  flag(option: string): boolean
  list(option: string): string[]
  /** Everything on standard input. */
  readInput(): Promise<string>
  /** Prints a message for the operator while the command runs. It is not part of the output. */
  tell(text: string): void
  /** What a person types after the question; empty where there is no person. */
  ask(question: string): Promise<string>
}

export interface CommandOutput {
  /** For people. */
  readonly lines: readonly string[]
  /** For `--json`; amounts are decimal text. */
  readonly data?: JsonValue
  /** Zero unless told otherwise. */
  readonly exitCode?: number
}

/** The command line itself is wrong: answered with the usage and exit code 2. */
export class UsageError extends Error {}
