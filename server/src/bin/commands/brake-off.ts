import type { Command } from './command.ts'
import { describeBrake } from './describe-brake.ts'
import { withSession } from './session.ts'

export const brakeOff: Command = {
  words: 'brake off',
  summary: 'Dispatch again.',
  run: () =>
    withSession(async ({ operators }) => {
      await operators.setBrake({ engaged: false })
      return describeBrake({ engaged: false })
    }),
}
