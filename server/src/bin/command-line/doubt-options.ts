import type { Doubtful } from '#control/catalogue/sync/approve-changes.ts'
import { type CommandInput, type CommandOption, UsageError } from './command.ts'

/** Options of commands that change the catalogue. */
export const doubtOptions = {
  confirm: { type: 'boolean', description: 'Also apply changes that look like source errors.' },
  'skip-doubtful': { type: 'boolean', description: 'Skip models with changes that look like source errors.' },
} as const satisfies Record<string, CommandOption>

export function readDoubtful(input: CommandInput): Doubtful {
  if (input.flag('confirm') && input.flag('skip-doubtful'))
    throw new UsageError('Specify --confirm or --skip-doubtful, not both.')
  if (input.flag('confirm')) return 'confirm'
  return input.flag('skip-doubtful') ? 'skip' : 'refuse'
}
