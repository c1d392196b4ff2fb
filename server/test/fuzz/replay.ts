import { findGrowth } from './engine/find-growth.ts'
import { createJudge } from './engine/judge-input.ts'
import { startWatchdog } from './engine/watchdog.ts'
import { readFinding } from './finding.ts'
import { findTarget } from './targets.ts'

const growthRuns = 500

/** Runs the input of a finding again; true if the fault is gone. */
export async function replay(path: string): Promise<boolean> {
  const { target: name, grew, input } = readFinding(path)
  const target = findTarget(name)
  await target.open?.()
  const watchdog = startWatchdog()
  const judge = createJudge(target, watchdog, { judgesTime: true })
  const fault = (await judge.judge(input)) ?? (await judge.takeStray())
  const growth = grew && fault === null ? await findGrowth([input], growthRuns, (each) => judge.judge(each)) : null
  judge.end()
  await watchdog.close()
  await target.close?.()
  if (fault !== null) process.stdout.write(`${fault.kind}: ${fault.message}\n`)
  else if (growth !== null) process.stdout.write(`grew: by ${Math.round(growth.bytesPerRun)} bytes each time\n`)
  else process.stdout.write(`${name} takes it\n`)
  return fault === null && growth === null
}
