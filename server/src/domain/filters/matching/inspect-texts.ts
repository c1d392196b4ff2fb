import { joinSpans, type Span } from '../text/span.ts'
import { TextViews } from '../text/text-views.ts'
import type { Search } from './finder.ts'
import { formsOf } from './regex-finder.ts'
import type { RegexScreen } from './regex-screen.ts'
import type { RuleSet } from './rule-set.ts'

export interface Inspection {
  /** By rule index; rules that completed without a match are left out. */
  readonly findings: readonly RuleFinding[]
  /** The spans to redact in each text, in order and without overlaps. */
  readonly redactions: readonly (readonly Span[])[]
}

interface RuleFinding {
  readonly place: number
  readonly matches: readonly TextSpan[]
  /** The rule did not complete, because time ran out or because it no longer compiles. */
  readonly timedOut: boolean
}

interface TextSpan extends Span {
  readonly text: number
}

interface InspectionBounds {
  readonly nowMs: () => number
  /** On the clock of `nowMs`. */
  readonly untilMs: number
  /** Whether patterns may be searched together; false after a set was too slow to be stopped. */
  readonly mayScreen: boolean
  /** Reports interim results, in case the next rule does not complete. */
  readonly onProgress?: (inspection: Inspection) => void
}

/** The most reported matches of one rule. */
export const matchesMax = 1_000
/** A text with more matches of one rule is redacted as a whole. */
const redactionsMax = 50_000
const progressEveryMs = 5
/** Shorter texts are fast enough with any pattern. */
const longTextLength = 2_000
/** A screen that takes longer than this for 100,000 characters saves nothing. */
const screenMsMax = 30

/** Runs every rule over every text until the deadline. */
export function inspectTexts(ruleSet: RuleSet, texts: readonly string[], bounds: InspectionBounds): Inspection {
  const job: Job = {
    ruleSet,
    bounds,
    views: texts.map((text) => new TextViews(text)),
    isLate: () => bounds.nowMs() >= bounds.untilMs,
    screened: new Map(),
  }
  const findings: RuleFinding[] = []
  const redactions: Span[][] = texts.map(() => [])
  let reportedMs = Number.NEGATIVE_INFINITY
  for (const [turn, place] of ruleSet.order.entries()) {
    if (mayNotEnd(job, place) && bounds.nowMs() - reportedMs > progressEveryMs) {
      const unfinished = ruleSet.order.slice(turn).map((later) => ({ place: later, matches: [], timedOut: true }))
      bounds.onProgress?.(conclude([...findings, ...unfinished], redactions))
      reportedMs = bounds.nowMs()
    }
    const { matches, timedOut } = runRule(job, place)
    if (ruleSet.rules[place]?.action === 'redact') for (const match of matches) redactions[match.text]?.push(match)
    if (matches.length > 0 || timedOut) findings.push({ place, matches: matches.slice(0, matchesMax), timedOut })
  }
  return conclude(findings, redactions)
}

/** Deadline checks stop everything except a single pattern search in a long text. */
function mayNotEnd({ ruleSet, views }: Job, place: number): boolean {
  const length = views.reduce((sum, { original }) => sum + original.length, 0)
  return length >= longTextLength && ruleSet.rules[place]?.matcher.kind === 'regex'
}

function conclude(findings: readonly RuleFinding[], redactions: readonly (readonly Span[])[]): Inspection {
  return {
    findings: [...findings].sort((left, right) => left.place - right.place),
    redactions: redactions.map((spans) => joinSpans(spans)),
  }
}

interface Job {
  readonly ruleSet: RuleSet
  readonly bounds: InspectionBounds
  readonly views: readonly TextViews[]
  readonly isLate: () => boolean
  /** The result of each screen for each text. */
  readonly screened: Map<RegexScreen, Map<number, ReadonlySet<number>>>
}

function runRule(job: Job, place: number): Omit<RuleFinding, 'place'> {
  const isRedaction = job.ruleSet.rules[place]?.action === 'redact'
  const matches: TextSpan[] = []
  for (const [text, views] of job.views.entries()) {
    if (job.isLate()) return { matches, timedOut: true }
    const wanted = isRedaction ? redactionsMax : matchesMax - matches.length
    const { spans, end } = searchText(job, { place, text, views, wanted })
    if (end === 'full' && isRedaction) matches.push({ text, start: 0, end: views.original.length })
    else for (const span of joinSpans(spans)) matches.push({ text, ...span })
    if (end === 'late') return { matches, timedOut: true }
    if (end === 'full' && !isRedaction) break
  }
  return { matches, timedOut: false }
}

interface TextSearch {
  readonly place: number
  readonly text: number
  readonly views: TextViews
  readonly wanted: number
}

const nothing: Search = { spans: [], end: 'done' }

function searchText(job: Job, { place, text, views, wanted }: TextSearch): Search {
  if (views.original === '') return nothing
  if (!mayMatch(job, place, text)) return nothing
  if (job.isLate()) return { spans: [], end: 'late' }
  const matcher = job.ruleSet.matcherOf(place)
  return matcher.compiled ? matcher.find(views, { matchesMax: wanted, isLate: job.isLate }) : { spans: [], end: 'late' }
}

/** Whether the rule may match this text. A rule without a screen always may. */
function mayMatch(job: Job, place: number, text: number): boolean {
  const screen = job.bounds.mayScreen ? job.ruleSet.screenOf(place, job.isLate) : undefined
  const known = screen === undefined ? undefined : job.screened.get(screen)?.get(text)
  if (known !== undefined) return known.has(place)
  if (screen === undefined || !screen.isOpen || job.isLate()) return true
  const found = passScreen(job, screen, text)
  const passed = job.screened.get(screen) ?? new Map<number, ReadonlySet<number>>()
  job.screened.set(screen, passed.set(text, found))
  return found.has(place)
}

function passScreen({ bounds, views }: Job, screen: RegexScreen, text: number): ReadonlySet<number> {
  const startMs = bounds.nowMs()
  const forms = views[text] === undefined ? [] : formsOf(views[text])
  const found = new Set(forms.flatMap((form) => screen.match(form.text)))
  const length = forms.reduce((sum, form) => sum + form.text.length, 0)
  if (bounds.nowMs() - startMs > (screenMsMax * Math.max(length, 100_000)) / 100_000) screen.isOpen = false
  return found
}
