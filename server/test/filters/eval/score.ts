// Not an expectation: the kind of a template decides how its samples are scored.
import { filterTemplates, type FilterTemplateName } from '#domain/filters/filter-templates.ts'
import { compileMatcher } from '#domain/filters/matching/compile-matcher.ts'
import { joinSpans, type Span } from '#domain/filters/text/span.ts'
import { TextViews } from '#domain/filters/text/text-views.ts'
import type { Sample } from './read-corpus.ts'

export interface Score {
  readonly right: number
  readonly missed: number
  readonly wrong: number
}

const noScore: Score = { right: 0, missed: 0, wrong: 0 }

/**
 * Data must match exactly: a match that is too long or too short counts as one missed and one wrong. An injection has
 * no exact bounds, so it counts once per sample.
 */
export function scoreSample(sample: Sample): Score {
  const found = findIn(sample.template, sample.text)
  if (filterTemplates[sample.template].kind === 'injection') {
    const isExpected = sample.expected.length > 0
    const isFound = found.length > 0
    return {
      right: Number(isExpected && isFound),
      missed: Number(isExpected && !isFound),
      wrong: Number(!isExpected && isFound),
    }
  }
  const right = found.filter((span) => isAmong(span, sample.expected)).length
  return { right, missed: sample.expected.length - right, wrong: found.length - right }
}

/** Runs a template like the engine, over the original text. */
export function findIn(template: FilterTemplateName, text: string): Span[] {
  const matcher = compileMatcher({ kind: 'template', template })
  if (!matcher.compiled) throw new Error(matcher.reason)
  return joinSpans(matcher.find(new TextViews(text), { matchesMax: 1_000, isLate: () => false }).spans)
}

function isAmong(span: Span, expected: readonly Span[]): boolean {
  return expected.some(({ start, end }) => span.start === start && span.end === end)
}

export function addScores(scores: readonly Score[]): Score {
  return scores.reduce(
    (sum, { right, missed, wrong }) => ({
      right: sum.right + right,
      missed: sum.missed + missed,
      wrong: sum.wrong + wrong,
    }),
    noScore,
  )
}

export function precisionOf({ right, wrong }: Score): number {
  return right + wrong === 0 ? 1 : right / (right + wrong)
}

export function recallOf({ right, missed }: Score): number {
  return right + missed === 0 ? 1 : right / (right + missed)
}
