import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import type { Attack } from '../area.ts'
import type { Report } from './report.ts'
import { send } from './send.ts'

export interface ServerJudging {
  readonly label: string
  /** The alarm that the process must log. */
  readonly alarm: RegExp | null
  /** Earlier log lines belong to an earlier area. */
  readonly sinceMs: number
}

/** After any attack the process lives, is ready, and logged no fault of its own. */
export async function judgeServer(
  server: ServerProcess,
  report: Report,
  { label, alarm, sinceMs }: ServerJudging,
): Promise<void> {
  // A failing upstream is logged as an error without being the gateway's fault.
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

/** Judges the processes that an area started, then stops them. */
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
