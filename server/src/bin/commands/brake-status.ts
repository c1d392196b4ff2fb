import type { Command } from './command.ts'
import { describeBrake } from './describe-brake.ts'
import { withSession } from './session.ts'

export const brakeStatus: Command = {
  words: 'brake status',
  summary: 'Say whether the brake is on.',
  run: () => withSession(async ({ operators }) => describeBrake(await operators.readBrake())),
}
