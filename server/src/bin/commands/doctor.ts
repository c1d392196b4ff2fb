import type { Command } from '../command-line/command.ts'
import { shownFindings } from '../command-line/shown-findings.ts'

export const doctorCommands: readonly Command[] = [
  {
    words: 'doctor',
    summary:
      'Examine configuration, Postgres, Redis, secret, providers, clock, disk, models and backups, and say what to do. Changes nothing. Exit code 1 if something is at fault.',
    async run() {
      const { examine } = await import('../standing/examine.ts')
      return shownFindings(await examine())
    },
  },
]
