import { engageBrake } from '#control/operators/engage-brake.ts'
import { operatorAuthor } from '#control/operators/operator-author.ts'
import type { Command } from './command.ts'
import { describeBrake } from './describe-brake.ts'
import { withSession } from './session.ts'

export const brakeOn: Command = {
  words: 'brake on',
  summary: 'Stop all dispatch at once: every request is refused with 503 until the brake is off.',
  options: {
    'retry-after': {
      type: 'string',
      value: '<30|300>',
      description: 'Seconds that callers are told to wait. Default 300.',
    },
    reason: { type: 'string', value: '<text>', description: 'For operators; callers do not see it.' },
  },
  run: (input) =>
    withSession(async ({ operators }) => {
      const retryAfterS = Number(input.text('retry-after') ?? '300')
      const brake = { retryAfterS, reason: input.text('reason') ?? null }
      return describeBrake(await engageBrake(operators, brake, operatorAuthor(Date.now())))
    }),
}
