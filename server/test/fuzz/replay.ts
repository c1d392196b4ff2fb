import { createJudge } from './engine/judge-input.ts'
import { startWatchdog } from './engine/watchdog.ts'
import { readFinding } from './finding.ts'
import { findTarget } from './targets.ts'

/** Runs the input of a finding once more; true where it does no harm any more. */
export async function replay(path: string): Promise<boolean> {
  const { target: name, input } = readFinding(path)
  const target = findTarget(name)
  await target.open?.()
  const watchdog = startWatchdog()
  const judge = createJudge(target, watchdog, { judgesTime: true })
  const fault = (await judge.judge(input)) ?? (await judge.takeStray())
  judge.end()
  await watchdog.close()
  await target.close?.()
  process.stdout.write(fault === null ? `${name} takes it\n` : `${fault.kind}: ${fault.message}\n`)
  return fault === null
}
