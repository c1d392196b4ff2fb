import { autoTierArgument } from './auto-tier-argument.ts'
import { changeTier } from './change-tier.ts'
import type { Command } from './command.ts'

export const autoDisable: Command = {
  words: 'auto disable',
  summary: 'Stop serving a tier of the auto router: its requests are refused with 503.',
  positionals: ['paid|free', 'tier'],
  run: async (input) => changeTier({ ...autoTierArgument(input), enabled: false }),
}
