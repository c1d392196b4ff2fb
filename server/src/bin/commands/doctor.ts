import type { Command } from '../command-line/command.ts'
import { shownFindings } from '../command-line/shown-findings.ts'

export const doctorCommands: readonly Command[] = [
  {
    words: 'doctor',
    summary:
      'Check configuration, Postgres, Redis, secret, providers, clock, disk, models and backups, and suggest fixes. Read-only. Exits with code 1 on a fault.',
    async run() {
      const { examine } = await import('../standing/examine.ts')
      return shownFindings(await examine())
    },
  },
]
