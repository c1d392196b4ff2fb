import { type CommandInput, type CommandOption, UsageError } from './command.ts'

export const credentialOptions = {
  key: { type: 'string', value: '<key>', description: 'The credential; - reads it from standard input.' },
  'key-env': { type: 'string', value: '<name>', description: 'The variable that holds the credential.' },
} as const satisfies Record<string, CommandOption>

/** Standard input and variables keep a credential out of the shell's history and the list of processes. */
export async function readCredential(input: CommandInput): Promise<string | undefined> {
  const key = input.text('key')
  const variable = input.text('key-env')
  if (key !== undefined && variable !== undefined) throw new UsageError('Give --key or --key-env, not both.')
  if (variable !== undefined) {
    const value = process.env[variable]
    if (value === undefined || value === '') throw new UsageError(`The variable ${variable} is not set.`)
    return value
  }
  return key === '-' ? (await input.readInput()).trim() : key
}
