import { type ChangedOption, parseChangedOption } from '../lib/parse-changed-option.ts'

/** Our own options of `npm test`. All others are passed to vitest. */
export function parseTestArguments(args: readonly string[]): TestArguments {
  const { rest, ...changed } = parseChangedOption(args)
  const isNear = rest.includes('--near')
  if (isNear && !changed.isChanged) throw new Error('--near goes with --changed')
  return {
    ...changed,
    isNear,
    isStress: rest.includes('--stress'),
    vitest: rest.filter((arg) => arg !== '--stress' && arg !== '--near'),
  }
}

export type TestArguments = Omit<ChangedOption, 'rest'> & {
  readonly isNear: boolean
  readonly isStress: boolean
  readonly vitest: readonly string[]
}
