import { Session } from 'node:inspector'
import { fileURLToPath } from 'node:url'

/** The blocks of the product's source that have run, as V8 counts them. */
export interface Coverage {
  /** Adds the blocks since the last call; returns how many functions and blocks ran for the first time. */
  take(): number
  /** Undoes the last `take`, so that new blocks are new again; returns a function that adds them after all. */
  undo(): () => void
  /** All functions and blocks so far, in the order of their first run. */
  readonly blocks: number
  /** The product's files that have run. */
  readonly files: ReadonlySet<string>
}

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

interface CoveredScript {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

type Gap = readonly [start: number, end: number]

/** A function that ran for the first time, or has fewer unexecuted ranges than before. */
interface Step {
  readonly key: string
  readonly before: readonly Gap[] | undefined
  readonly after: readonly Gap[]
}

const productSource = '/server/src/'

export function startCoverage(): Coverage {
  const session = openSession()
  const gaps = new Map<string, readonly Gap[]>()
  const files = new Set<string>()
  let last: Step[] = []
  let blocks = 0

  function take(): number {
    last = []
    for (const { url, functions } of readCoverage(session)) {
      if (!url.includes(productSource)) continue
      files.add(fileURLToPath(url))
      for (const { ranges } of functions) takeFunction(url, ranges)
    }
    blocks += last.length
    return last.length
  }

  function takeFunction(url: string, [whole, ...inner]: readonly Range[]): void {
    if (whole === undefined || whole.count === 0) return
    const idle = inner.filter(({ count }) => count === 0).map((range): Gap => [range.startOffset, range.endOffset])
    note(`${url}:${whole.startOffset}`, idle)
  }

  function note(key: string, idle: readonly Gap[]): void {
    const before = gaps.get(key)
    const after = before === undefined ? idle : overlapOf(before, idle)
    if (before !== undefined && lengthOf(after) === lengthOf(before)) return
    gaps.set(key, after)
    last.push({ key, before, after })
  }

  function undo(): () => void {
    const undone = last
    blocks -= undone.length
    for (const { key, before } of undone) {
      if (before === undefined) gaps.delete(key)
      else gaps.set(key, before)
    }
    return () => {
      last = []
      for (const { key, after } of undone) note(key, after)
      blocks += last.length
    }
  }

  // Earlier coverage belongs to the imports.
  readCoverage(session)
  return {
    take,
    undo,
    get blocks() {
      return blocks
    },
    files,
  }
}

let opened: Session | null = null

function openSession(): Session {
  if (opened !== null) return opened
  opened = new Session()
  opened.connect()
  opened.post('Profiler.enable')
  // Without counts, and by block: then a report contains only the functions that ran since the last report.
  opened.post('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
  return opened
}

function readCoverage(session: Session): readonly CoveredScript[] {
  let scripts: readonly CoveredScript[] = []
  // The callback runs before `post` returns, because the session is on this thread.
  session.post('Profiler.takePreciseCoverage', (error, report) => {
    if (error !== null) throw error
    scripts = report.result
  })
  return scripts
}

function overlapOf(before: readonly Gap[], now: readonly Gap[]): Gap[] {
  return before.flatMap(([start, end]) =>
    now.map(([from, to]): Gap => [Math.max(start, from), Math.min(end, to)]).filter(([from, to]) => from < to),
  )
}

function lengthOf(gaps: readonly Gap[]): number {
  return gaps.reduce((sum, [start, end]) => sum + end - start, 0)
}
