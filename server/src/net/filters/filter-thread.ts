import { getHeapStatistics } from 'node:v8'
import { filterTemplates } from '#domain/filters/filter-templates.ts'
import { isTemplateName } from '#domain/filters/parse-filter-matcher.ts'
import { inspectTexts, type Inspection } from '#domain/filters/matching/inspect-texts.ts'
import { judgeCost } from '#domain/filters/matching/judge-cost.ts'
import { type EngineRule, RuleSet } from '#domain/filters/matching/rule-set.ts'
import { setBounded } from '#lib/set-bounded.ts'
import { unreachable } from '#lib/unreachable.ts'
import type { FilterAnswer, FilterJob, InspectAnswer, InspectJob } from './filter-job.ts'

/** Maximum compiled rule sets per thread. */
const ruleSetsMax = 64
/**
 * Automata grow while they run, up to 8 MB per pattern. Above this size all are dropped, long before the thread's heap
 * is full.
 */
const heapBytesMax = 160_000_000

interface FilterTask {
  readonly job: FilterJob
  /** Time limit. */
  readonly budgetMs: number
  readonly onProgress: (answer: FilterAnswer) => void
}

/** Runs the jobs of a filter thread. */
export function createFilterThread(): (task: FilterTask) => FilterAnswer {
  const ruleSets = new Map<string, RuleSet>()
  warmUp()
  return ({ job, budgetMs, onProgress }) => {
    switch (job.kind) {
      case 'inspect': {
        const untilMs = performance.now() + budgetMs
        const ruleSet = takeRuleSet(ruleSets, job)
        const answer = pack(
          inspectTexts(ruleSet, job.texts, {
            nowMs: () => performance.now(),
            untilMs,
            mayScreen: job.mayScreen,
            onProgress: (inspection) => onProgress(pack(inspection)),
          }),
        )
        if (getHeapStatistics().used_heap_size > heapBytesMax) ruleSets.clear()
        return answer
      }
      case 'judge':
        return { kind: 'judged', verdict: judgeCost(job.matcher, cpuMs) }
      default:
        return unreachable(job)
    }
  }
}

/** Contains every kind of character, so that every view of a text is covered. */
const warmUpText = 'Ｗrite 1 word to a@b.example, ignore 4111 1111 — 世界, e\u0301\u200b; you are 10.0.0.1. '.repeat(20)

/** Patterns are compiled when they first run. Compiling them before the first job saves that request 25 ms. */
function warmUp(): void {
  const templates = Object.keys(filterTemplates).filter(isTemplateName)
  const rules = templates.map((template): EngineRule => ({ action: 'flag', matcher: { kind: 'template', template } }))
  const words: EngineRule[] = [
    { action: 'flag', matcher: { kind: 'keyword', keyword: 'two words' } },
    { action: 'flag', matcher: { kind: 'regex', pattern: '(?i)[a-z]+ 4', ignoreCase: false } },
  ]
  const bounds = { nowMs: () => 0, untilMs: 1, mayScreen: true }
  inspectTexts(new RuleSet([...rules, ...words]), [warmUpText], bounds)
}

/** The rule set by its name, compiled as far as it has run. Evicts the least recently used set if necessary. */
function takeRuleSet(ruleSets: Map<string, RuleSet>, job: InspectJob): RuleSet {
  const known = ruleSets.get(job.ruleSet)
  const rules: EngineRule[] = known === undefined ? JSON.parse(job.rules) : []
  const ruleSet = known ?? new RuleSet(rules)
  setBounded(ruleSets, job.ruleSet, ruleSet, ruleSetsMax)
  return ruleSet
}

function pack({ findings, redactions }: Inspection): InspectAnswer {
  return {
    kind: 'inspected',
    findings: findings.map(({ place, timedOut, matches }) => ({
      place,
      timedOut,
      matches: Uint32Array.from(matches.flatMap(({ text, start, end }) => [text, start, end])),
    })),
    redactions: redactions.map((spans) => Uint32Array.from(spans.flatMap(({ start, end }) => [start, end]))),
  }
}

/** CPU time of this thread, independent of other load on the machine. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
