import { changeTokens } from './change-tokens.ts'
import { deleteStatements } from './delete-statements.ts'
import type { SqlFunction } from './read-functions.ts'
import { changeDefinition, lineOfChange } from './sql-change.ts'

/** A function with one change in it. */
export type PlantedSql = {
  /** Stable name of the change: the function and the position in it. */
  readonly name: string
  readonly functionName: string
  readonly kind: string
  readonly line: number
  /** The line before and after the change. */
  readonly before: string
  readonly after: string
  /** Its position among identical changes in the function, from 1. */
  readonly turn: number
  readonly definition: string
}

/** All changes of a function, each to be tried alone. */
export function listChanges({ name, definition }: SqlFunction): PlantedSql[] {
  const changes = [...deleteStatements(definition), ...changeTokens(definition)].toSorted((a, b) => a.start - b.start)
  const turns = new Map<string, number>()
  return changes.map((change, at) => {
    const line = lineOfChange(definition, change)
    const changed = changeDefinition(definition, change)
    const lineOf = (text: string) => text.split('\n')[line - 1]?.trim() ?? ''
    const [before, after] = [lineOf(definition), lineOf(changed)]
    const turn = (turns.get(before + after) ?? 0) + 1
    turns.set(before + after, turn)
    return {
      name: `${name}:${line}:${at + 1}`,
      functionName: name,
      kind: change.kind,
      line,
      before,
      after,
      turn,
      definition: changed,
    }
  })
}
