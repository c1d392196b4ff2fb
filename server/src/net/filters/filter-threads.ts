import type { FilterRule } from '#domain/filters/filter-rule.ts'
import { filterTemplates } from '#domain/filters/filter-templates.ts'
import { redactText } from '#domain/filters/text/redact-text.ts'
import type { Span } from '#domain/filters/text/span.ts'
import { assert } from '#lib/assert.ts'
import { oncePer } from '#lib/once-per.ts'
import { setBounded } from '#lib/set-bounded.ts'
import type { Timers } from '#lib/timers.ts'
import { WorkerPool } from '#lib/worker-pool.ts'
import type { FilterEngine, FilterFindings, FilterHit, FilterMatch, FilterRequest } from '#ports/filter-engine.ts'
import type { FilterAnswer, FilterJob, InspectAnswer } from './filter-job.ts'
import { JudgeThreads } from './judge-threads.ts'

/** An inspection returns within this time in any case, including the wait for a thread. */
const inspectMs = 250
/** A thread stops after this share of the time, so that its findings arrive within the rest. */
const workShare = 0.84
/** A new rule is judged over dozens of texts, so it gets the time of this many inspections: 10 s by default. */
const judgeTimes = 40
const slowMax = 1_000

export interface FilterThreadsOptions {
  /** The file that the threads run. */
  readonly entry: URL
  /** Node's compile cache. */
  readonly compileCacheFolder?: string
  /** Maximum concurrent inspections. One organization never gets all of them. */
  readonly threads?: number
  /** For an inspection, including the wait for a thread. */
  readonly timeoutMs?: number
  /** Called when a thread had to be terminated, or broke. */
  readonly onThreadLost?: (error: Error) => void
  readonly timers?: Timers
}

export interface FilterThreads extends FilterEngine {
  /** Resolves once inspections can run. Before that they wait and may time out. */
  readonly ready: Promise<void>
  close(): Promise<void>
}

/** The filter engine on threads of this process. */
export function createFilterThreads(options: FilterThreadsOptions): FilterThreads {
  const { entry, compileCacheFolder, threads = 2, timeoutMs = inspectMs, onThreadLost, timers } = options
  const shared = { entry, compileCacheFolder, graceMs: 100, heapMbMax: 256, onThreadLost, timers }
  const pool = new WorkerPool<FilterJob, FilterAnswer>({ ...shared, threads, spares: 1, waitingMax: 256 })
  const judges = new JudgeThreads({ ...shared, judgeMs: judgeTimes * timeoutMs })
  const slow = new Map<string, true>()
  return {
    ready: pool.ready,
    inspect: (request) => inspect({ pool, slow, timeoutMs }, request),
    judgeMatcher: (matcher) => judges.judge(matcher),
    close: async () => {
      await Promise.all([pool.close(), judges.close()])
    },
  }
}

interface Inspector {
  readonly pool: WorkerPool<FilterJob, FilterAnswer>
  /** Rule sets that were too slow to be stopped. The latest are remembered. */
  readonly slow: Map<string, true>
  readonly timeoutMs: number
}

async function inspect({ pool, slow, timeoutMs }: Inspector, request: FilterRequest): Promise<FilterFindings> {
  const { rules, texts } = request
  if (rules.length === 0 || texts.every((text) => text === '')) return { hits: [], texts }
  const taken = takeTexts(texts)
  const { ruleSet } = request
  const job = {
    kind: 'inspect' as const,
    ruleSet,
    rules: rulesJson(rules),
    texts: taken.texts,
    mayScreen: !slow.has(ruleSet),
  }
  const outcome = await pool.run(job, { queue: ruleSet, timeoutMs, marginMs: timeoutMs * (1 - workShare) })
  // The thread could not stop it from inside: next time the set's patterns run one by one, with a time check between
  // them.
  if (outcome.kind === 'late' && outcome.ranMs > timeoutMs / 2) setBounded(slow, ruleSet, true, slowMax)
  const answer = outcome.kind === 'answered' ? outcome.answer : outcome.kind === 'late' ? outcome.progress : undefined
  if (answer === undefined) return { hits: rules.map((rule) => hitOf(rule, [], true)), texts }
  assert(answer.kind === 'inspected', 'an inspection is answered with its findings')
  return readAnswer(request, answer, taken.isWhole)
}

/**
 * All findings of a thread, for the request that asked. If a text was not inspected completely, every rule counts as
 * unfinished.
 */
function readAnswer({ rules, texts }: FilterRequest, answer: InspectAnswer, isWhole: boolean): FilterFindings {
  const found = new Map(answer.findings.map((finding) => [finding.place, finding]))
  const hits = rules.flatMap((rule, place) => {
    const finding = found.get(place)
    if (finding === undefined && isWhole) return []
    return [
      hitOf(rule, finding === undefined ? [] : readMatches(finding.matches), !isWhole || finding?.timedOut === true),
    ]
  })
  const redacted = texts.map((text, place) => redactText(text, readSpans(answer.redactions[place])))
  return { hits, texts: redacted }
}

function hitOf({ id, action, matcher }: FilterRule, matches: readonly FilterMatch[], timedOut: boolean): FilterHit {
  const isInjection = matcher.kind === 'template' && filterTemplates[matcher.template].kind === 'injection'
  return { ruleId: id, action, isInjection, matches, timedOut }
}

function readMatches(packed: Uint32Array): FilterMatch[] {
  return Array.from({ length: packed.length / 3 }, (_, at) => ({
    text: packed[at * 3] ?? 0,
    start: packed[at * 3 + 1] ?? 0,
    end: packed[at * 3 + 2] ?? 0,
  }))
}

function readSpans(packed: Uint32Array = new Uint32Array()): Span[] {
  return Array.from({ length: packed.length / 2 }, (_, at) => ({
    start: packed[at * 2] ?? 0,
    end: packed[at * 2 + 1] ?? 0,
  }))
}

const rulesJson = oncePer((rules: readonly FilterRule[]) =>
  JSON.stringify(rules.map(({ action, matcher }) => ({ action, matcher }))),
)

/**
 * Maximum UTF-16 units that are inspected per request. Passing this many to a thread takes the event loop 4 to 10 ms.
 */
const inspectedLengthMax = 4_000_000

/** The texts of a request as far as they are inspected. The rest is empty or cut, never inside a character. */
function takeTexts(texts: readonly string[]): { texts: readonly string[]; isWhole: boolean } {
  let room = inspectedLengthMax
  let isWhole = true
  const taken = texts.map((text) => {
    if (text.length <= room) {
      room -= text.length
      return text
    }
    isWhole = false
    const isInsidePair = (text.charCodeAt(room) & 0xfc00) === 0xdc00
    const cut = text.slice(0, isInsidePair ? Math.max(0, room - 1) : room)
    room = 0
    return cut
  })
  return { texts: isWhole ? texts : taken, isWhole }
}
