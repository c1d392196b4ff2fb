import type { JsonValue } from '#lib/json.ts'

/** A parsed value, or the reason why it is invalid. */
export type Parsed<Value> =
  | { readonly accepted: true; readonly value: Value }
  | { readonly accepted: false; readonly problem: string }

export function refused(problem: string): { readonly accepted: false; readonly problem: string } {
  return { accepted: false, problem }
}

/** Parses a string that is not blank and that the store can hold: no NUL and no lone surrogate. */
export function parseText(
  value: JsonValue | undefined,
  { name, lengthMax }: { name: string; lengthMax: number },
): Parsed<string> {
  if (typeof value !== 'string') return refused(`\`${name}\` must be a string.`)
  if (value.trim() === '') return refused(`\`${name}\` must not be empty.`)
  if (value.length > lengthMax) return refused(`\`${name}\` must be at most ${lengthMax} characters.`)
  if (value.includes('\0') || !value.isWellFormed()) return refused(`\`${name}\` contains invalid characters.`)
  return { accepted: true, value }
}
