/**
 * Removes `--changed`, `--changed REF` and `--changed=REF` from a command's arguments. The word after `--changed` is
 * its reference unless it is an option.
 */
export function parseChangedOption(args: readonly string[]): ChangedOption {
  const at = args.findIndex((arg) => arg === '--changed' || arg.startsWith('--changed='))
  const option = args[at]
  if (option === undefined) return { isChanged: false, reference: undefined, rest: args }
  const next = args[at + 1]
  const isNextTaken = option === '--changed' && next !== undefined && !next.startsWith('-')
  const reference = isNextTaken ? next : option.split('=')[1]
  return { isChanged: true, reference, rest: args.toSpliced(at, isNextTaken ? 2 : 1) }
}

export type ChangedOption = {
  readonly isChanged: boolean
  readonly reference: string | undefined
  readonly rest: readonly string[]
}
