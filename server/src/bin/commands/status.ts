import { judgeStatus } from '#control/standing/judge-status.ts'
import type { Command } from '../command-line/command.ts'
import { withSession } from '../command-line/session.ts'
import { shownFindings } from '../command-line/shown-findings.ts'
import { readStatus } from '../standing/read-status.ts'

export const statusCommands: readonly Command[] = [
  {
    words: 'status',
    summary:
      'Show the status of processes, routing, circuits, brake, holds, backlog and ledger. Read-only. Exits with code 1 on a fault.',
    run: () => withSession(async (session) => shownFindings(judgeStatus(await readStatus(session)))),
  },
]
