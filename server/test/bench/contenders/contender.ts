import type { RequestShape } from '../bench-requests.ts'
import type { PrivateEngines } from './private-engines.ts'

export interface BenchContext {
  mockPort: number
  /** Removed at the end of the run. */
  scratchFolder: string
  /** Kept between runs, for slow downloads. */
  cacheFolder: string
  repositoryRoot: string
  /** Started on first use; all contenders share them. */
  engines: () => Promise<PrivateEngines>
  /** The tree of another commit to measure next to this one, or null. */
  earlierRoot: string | null
  /** Artificial work per request of this tree's gateway, to check that it is noticed. */
  plantedUs: number
  /** The file for the gateways' CPU profile, written on request, or null. */
  profileFile: string | null
  /** The file for the timeline of the gateways' requests, written on request, or null. */
  timelineFile: string | null
  log: (line: string) => void
}

export interface RunningContender extends RequestShape {
  port: number
  /** Null for the mock itself, whose own cost is not measured. */
  pid: number | null
  /** The expected end of a burst, if the upstream does not use OpenAI's format. */
  burst?: { text: string; outputTokens: number }
  /** The databases, if they are measured too. */
  engines?: PrivateEngines
  stop(): Promise<void>
}

export interface Contender {
  /** Only the rate and the cost of streams are measured. */
  isForStreamsAlone?: boolean
  /** Starts a fresh process with an empty heap and cold caches. It can be called repeatedly. */
  start(): Promise<RunningContender>
  /** Removes resources shared by all starts, such as databases. */
  dispose?(): Promise<void>
}

/** Prepares everything that the contender needs once. */
export type PrepareContender = (context: BenchContext) => Promise<Contender>

/** The machine lacks this contender. That is not a failure of the bench. */
export class ContenderUnavailable extends Error {}

export const benchModel = 'gpt-x'
export const plainCaller = { authorization: 'Bearer sk-mock-0123456789abcdef0123456789abcdef' }
