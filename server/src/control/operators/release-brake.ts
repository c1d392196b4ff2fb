import type { BrakeState } from '#domain/limits/brake.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { Operators } from '#ports/operators.ts'
import { platformEntry } from './platform-entry.ts'

export async function releaseBrake(operators: Operators, author: ChangeAuthor): Promise<BrakeState> {
  const state = { engaged: false } as const
  await operators.setBrake(state, platformEntry(author, { action: 'brake.off', target: null }))
  return state
}
