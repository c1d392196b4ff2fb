import type { Application } from '#control/catalogue/sync/approve-changes.ts'
import { type CommandInput, type CommandOption, UsageError } from './command.ts'

/** For commands that change prices or retirement dates. */
export const announceOptions = {
  'no-announce': {
    type: 'boolean',
    description: 'Do not tell customers about changed prices and retirement dates of models that they use.',
  },
} as const satisfies Record<string, CommandOption>

/** Options of commands that change the catalogue. */
export const applyOptions = {
  confirm: { type: 'boolean', description: 'Also apply changes that look like source errors.' },
  'skip-doubtful': { type: 'boolean', description: 'Skip models with changes that look like source errors.' },
  ...announceOptions,
} as const satisfies Record<string, CommandOption>

export function readApplication(input: CommandInput): Application {
  if (input.flag('confirm') && input.flag('skip-doubtful'))
    throw new UsageError('Specify --confirm or --skip-doubtful, not both.')
  const doubtful = input.flag('confirm') ? 'confirm' : input.flag('skip-doubtful') ? 'skip' : 'refuse'
  return { doubtful, announce: readAnnounce(input) }
}

export function readAnnounce(input: CommandInput): boolean {
  return !input.flag('no-announce')
}
