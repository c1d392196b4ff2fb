import type { Contender, RunningContender } from './contenders/contender.ts'
import type { Look, Phase, Targets } from './look.ts'
import type { MemoryFigures } from './measure-memory.ts'

/** A contender and its results. */
export interface Entry {
  readonly name: string
  readonly contender: Contender | null
  /** Set while windows are measured. */
  running: { readonly process: RunningContender; readonly targets: Targets } | null
  memory: MemoryFigures | null
  /** By window; phases that were not requested are absent. */
  readonly windows: Partial<Record<Phase, Look>>[]
  /** Why the contender was dropped. */
  out: { unavailable: string } | { failed: string } | null
}
