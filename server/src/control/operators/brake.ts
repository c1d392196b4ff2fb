import type { BrakeState } from '#domain/limits/brake.ts'
import { malformed } from '#errors/malformed.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { Operators } from '#ports/operators.ts'
import { platformEntry } from './platform-entry.ts'

const reasonLengthMax = 500

/** Stops all dispatch until it is released. Clients are told to retry after 30 s or after 300 s. */
export async function engageBrake(
  operators: Operators,
  input: { retryAfterS: number; reason: string | null },
  author: ChangeAuthor,
): Promise<BrakeState> {
  const { retryAfterS, reason } = input
  if (retryAfterS !== 30 && retryAfterS !== 300) {
    throw malformed('The retry time must be 30 or 300 seconds.')
  }
  if (reason !== null && reason.length > reasonLengthMax) {
    throw malformed(`The reason must be at most ${reasonLengthMax} characters.`)
  }
  const state = { engaged: true, retryAfterS, reason } as const
  const after = { retryAfterS, reason }
  await operators.setBrake(state, platformEntry(author, { action: 'brake.on', target: null, after }))
  return state
}

export async function releaseBrake(operators: Operators, author: ChangeAuthor): Promise<BrakeState> {
  const state = { engaged: false } as const
  await operators.setBrake(state, platformEntry(author, { action: 'brake.off', target: null }))
  return state
}
