import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import type { Attack } from '../area.ts'
import type { Report } from './report.ts'
import { send } from './send.ts'

export interface ServerJudging {
  readonly label: string
  /** What the process must tell its operator. */
  readonly alarm: RegExp | null
  /** Earlier lines of its log belong to an earlier area. */
  readonly sinceMs: number
}

/** Whatever was done to it, the process lives, is ready, and knows of no fault of its own. */
export async function judgeServer(
  server: ServerProcess,
  report: Report,
  { label, alarm, sinceMs }: ServerJudging,
): Promise<void> {
  // An upstream that fails is an error in the log, and nothing that the gateway did wrong.
  const errors = server.logLines.filter((line) => /"level":[56]0/.test(line) && !/"error":"upstream/.test(line))
  const faults = errors.filter((line) => timeOf(line) >= sinceMs && alarm?.test(line) !== true)
  report.judge({ label, isRight: server.isAlive, expected: 'to be alive', got: server.logLines.slice(-5).join('\n') })
  report.judge({
    label,
    isRight: faults.length === 0,
    expected: 'no error in its log',
    got: faults.slice(0, 5).join('\n'),
  })
  if (!server.isAlive) return
  const { status, text } = await send(`${server.url}/ready`)
  report.judge({ label, isRight: status === 200, expected: 'to be ready', got: `${status} ${text}` })
}

/** Judges the processes that an area started for itself, then ends them. */
export async function endServers(
  { world, report }: Attack,
  servers: readonly ServerProcess[],
  alarm: RegExp | null = null,
): Promise<void> {
  for (const [index, server] of servers.entries()) {
    const label = `own process ${index + 1} of ${servers.length}`
    await judgeServer(server, report, { label, alarm, sinceMs: 0 })
    await world.endGateway(server)
  }
}

function timeOf(line: string): number {
  return Number(/"time":(\d+)/.exec(line)?.[1] ?? 0)
}
