import { autoTierArgument } from './auto-tier-argument.ts'
import { changeTier } from './change-tier.ts'
import type { Command } from './command.ts'

export const autoSet: Command = {
  words: 'auto set',
  summary: 'Say which models serve a tier of the auto router: the primary one, then up to five fallbacks.',
  positionals: ['paid|free', 'tier', 'model…'],
  run: async (input) => changeTier({ ...autoTierArgument(input), models: input.rest(2) }),
}
