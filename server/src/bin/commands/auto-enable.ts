import { autoTierArgument } from './auto-tier-argument.ts'
import { changeTier } from './change-tier.ts'
import type { Command } from './command.ts'

export const autoEnable: Command = {
  words: 'auto enable',
  summary: 'Serve a tier of the auto router again.',
  positionals: ['paid|free', 'tier'],
  run: async (input) => changeTier({ ...autoTierArgument(input), enabled: true }),
}
