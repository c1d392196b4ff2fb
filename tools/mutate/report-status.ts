import { alignColumns } from '../lib/align-columns.ts'
import type { AreaSource } from './areas.ts'
import type { Floors } from './floors.ts'

/** For each area, how many files were measured and reach the goal, and one line per file that does not. */
export function reportStatus(sources: readonly AreaSource[], floors: Floors): StatusReport {
  const files = sources.map(({ path, area }) => ({ path, area, ...judgeFile(floors.get(path), area.goal) }))
  const head = ['area', 'files', 'reach the goal', 'below it', 'unmeasured', 'no mutants', 'goal']
  const rows = [...Map.groupBy(files, ({ area }) => area)].map(([{ name, goal }, ofArea]) => {
    const count = (state: FileState) => ofArea.filter((file) => file.state === state).length
    const counts = [ofArea.length, ...states.map(count)].map(String)
    return [name, ...counts, `${Math.round(goal * 100)} %`]
  })
  const open = files.filter(({ state }) => state === 'below' || state === 'unmeasured')
  return {
    lines: [...open.map(({ path, text }) => `${path}: ${text}`), ...alignColumns([head, ...rows])],
    isDone: open.length === 0,
  }
}

interface StatusReport {
  readonly lines: readonly string[]
  /** Whether every file with mutants was measured and reaches its goal. */
  readonly isDone: boolean
}

const states = ['reached', 'below', 'unmeasured', 'no mutants'] as const
type FileState = (typeof states)[number]

function judgeFile(floor: ReturnType<Floors['get']>, goal: number): { state: FileState; text: string } {
  if (floor === 'no mutants') return { state: 'no mutants', text: floor }
  if (floor === undefined || floor === 'unmeasured') return { state: 'unmeasured', text: 'unmeasured' }
  if (floor.all === undefined)
    return { state: 'unmeasured', text: `unmeasured but for rules, ${floor.rules} % or more` }
  const state = floor.all >= goal * 100 ? 'reached' : 'below'
  return { state, text: `${floor.all} %, and ${Math.round(goal * 100)} % are wanted` }
}
