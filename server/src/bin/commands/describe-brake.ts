import type { BrakeState } from '#domain/limits/brake.ts'
import type { CommandOutput } from './command.ts'

export function describeBrake(state: BrakeState): CommandOutput {
  if (!state.engaged) return { lines: ['the brake is off'], data: state }
  const reason = state.reason === null ? '' : ` (${state.reason})`
  return { lines: [`the brake is on, retry after ${state.retryAfterS} s${reason}`], data: state }
}
