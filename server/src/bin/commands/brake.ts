import { engageBrake, releaseBrake } from '#control/operators/brake.ts'
import type { BrakeState } from '#domain/limits/brake.ts'
import { commandAuthor } from '../command-line/command-author.ts'
import type { Command, CommandOutput } from '../command-line/command.ts'
import { withSession } from '../command-line/session.ts'

export const brakeCommands: readonly Command[] = [
  {
    words: 'brake on',
    summary: 'Engage the emergency brake: every request is rejected with 503 until the brake is off.',
    options: {
      'retry-after': {
        type: 'string',
        value: '<30|300>',
        description: 'Retry-After for clients, in seconds. Default 300.',
      },
      reason: { type: 'string', value: '<text>', description: 'Reason for operators; clients do not see it.' },
    },
    run: (input) =>
      withSession(async ({ operators }) => {
        const retryAfterS = Number(input.text('retry-after') ?? '300')
        const brake = { retryAfterS, reason: input.text('reason') ?? null }
        return describeBrake(await engageBrake(operators, brake, commandAuthor(Date.now())))
      }),
  },
  {
    words: 'brake off',
    summary: 'Release the emergency brake.',
    run: () =>
      withSession(async ({ operators }) => describeBrake(await releaseBrake(operators, commandAuthor(Date.now())))),
  },
  {
    words: 'brake status',
    summary: 'Show whether the emergency brake is on.',
    run: () => withSession(async ({ operators }) => describeBrake(await operators.readBrake())),
  },
]

function describeBrake(state: BrakeState): CommandOutput {
  if (!state.engaged) return { lines: ['the emergency brake is off'], data: state }
  const reason = state.reason === null ? '' : ` (${state.reason})`
  return { lines: [`the emergency brake is on, retry after ${state.retryAfterS} s${reason}`], data: state }
}
