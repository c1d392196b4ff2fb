import type { Contender, RunningContender } from './contenders/contender.ts'
import type { Look, Phase, Targets } from './look.ts'
import type { MemoryFigures } from './measure-memory.ts'

/** A contender and what is known of it. */
export interface Entry {
  readonly name: string
  readonly contender: Contender | null
  /** While windows are measured. */
  running: { readonly process: RunningContender; readonly targets: Targets } | null
  memory: MemoryFigures | null
  /** By window; a phase that was not asked for is not there. */
  readonly windows: Partial<Record<Phase, Look>>[]
  /** Why it takes no further part. */
  out: { unavailable: string } | { failed: string } | null
}
