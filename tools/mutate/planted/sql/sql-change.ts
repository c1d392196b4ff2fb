/** A replacement in a function's definition: the text between two positions. */
export type SqlChange = {
  /** Kind of change, such as `comparison shifted`. */
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly replace: string
}

/** The definition with the change applied. */
export function changeDefinition(definition: string, { start, end, replace }: SqlChange): string {
  return definition.slice(0, start) + replace + definition.slice(end)
}

/** The line of a change in its definition, counted from 1. */
export function lineOfChange(definition: string, { start }: SqlChange): number {
  return definition.slice(0, start).split('\n').length
}
