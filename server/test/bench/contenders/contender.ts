import type { RequestShape } from '../bench-requests.ts'
import type { PrivateEngines } from './private-engines.ts'

export interface BenchContext {
  mockPort: number
  /** Removed at the end of the run. */
  scratchFolder: string
  /** Kept between runs: what is slow to fetch. */
  cacheFolder: string
  repositoryRoot: string
  /** Started when they are first asked for; all contenders share them. */
  engines: () => Promise<PrivateEngines>
  /** A tree of another commit to measure beside this one; null: none was asked for. */
  earlierRoot: string | null
  /** Work that each request of this tree's gateway does for nothing, to see that it is noticed. */
  plantedUs: number
  /** Where gateways write what their CPU went to, once they are asked; null: they are not. */
  profileFile: string | null
  log: (line: string) => void
}

export interface RunningContender extends RequestShape {
  port: number
  /** Null for the mock itself, whose own cost nobody asks about. */
  pid: number | null
  /** What a burst says in the end, where the upstream is not asked in OpenAI's form. */
  burst?: { text: string; outputTokens: number }
  /** What it stands on, where that is measured as well. */
  engines?: PrivateEngines
  stop(): Promise<void>
}

export interface Contender {
  /** Only the rate and the cost of streams are asked for. */
  isForStreamsAlone?: boolean
  /** Starts a fresh process, with empty heap and cold caches, as often as asked. */
  start(): Promise<RunningContender>
  /** What lasts from start to start: databases and the like. */
  dispose?(): Promise<void>
}

/** Readies whatever the contender needs once. */
export type PrepareContender = (context: BenchContext) => Promise<Contender>

/** The machine does not have this contender. That is not a failure of the bench. */
export class ContenderUnavailable extends Error {}

export const benchModel = 'gpt-x'
export const plainCaller = { authorization: 'Bearer sk-mock-0123456789abcdef0123456789abcdef' }
