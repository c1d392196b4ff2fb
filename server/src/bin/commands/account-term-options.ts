import type { ProviderAccountTerms } from '#ports/operators.ts'
import { type CommandInput, type CommandOption, UsageError } from './command.ts'

export const accountTermOptions = {
  weight: { type: 'string', value: '<number>', description: "Its share among the vendor's accounts. Default 1." },
  'keeps-prompts': {
    type: 'string',
    value: '<yes|no|vendor>',
    description: 'Whether prompts may be kept there; vendor goes by what its vendor says in public.',
  },
  variant: {
    type: 'string',
    value: '<name>',
    description: 'The region or service tier whose offers hold for it, such as eu.',
  },
} as const satisfies Record<string, CommandOption>

export function readAccountTerms(input: CommandInput): Partial<ProviderAccountTerms> {
  const weight = input.text('weight')
  const keeps = input.text('keeps-prompts')
  const variant = input.text('variant')
  if (weight !== undefined && !/^\d{1,4}$/.test(weight)) throw new UsageError('The weight is a whole number.')
  return {
    ...(weight === undefined ? {} : { weight: Number(weight) }),
    ...(keeps === undefined ? {} : { keepsPrompts: readKeeping(keeps) }),
    ...(variant === undefined ? {} : { variant }),
  }
}

function readKeeping(text: string): boolean | null {
  if (text === 'vendor') return null
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new UsageError('--keeps-prompts is yes, no or vendor.')
}
