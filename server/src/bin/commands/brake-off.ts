import { operatorAuthor } from '#control/operators/operator-author.ts'
import { releaseBrake } from '#control/operators/release-brake.ts'
import type { Command } from './command.ts'
import { describeBrake } from './describe-brake.ts'
import { withSession } from './session.ts'

export const brakeOff: Command = {
  words: 'brake off',
  summary: 'Dispatch again.',
  run: () =>
    withSession(async ({ operators }) => describeBrake(await releaseBrake(operators, operatorAuthor(Date.now())))),
}
