import type { Span } from '../text/span.ts'
import { textAround } from './context.ts'
import type { Detector } from './detector.ts'
import { type DigitRun, digitRuns } from './digit-runs.ts'

/** A personal number that looks like any other number, so a context word must be nearby. */
interface NamedNumber {
  /** The lengths of its groups as people write them. */
  readonly shapes: readonly string[]
  readonly isValid: (digits: string) => boolean
  readonly names: RegExp
}

export function findNamedNumbers({ shapes, isValid, names }: NamedNumber): Detector {
  const lengthMin = Math.min(...shapes.map((shape) => lengthOf(shape)))
  return (text) => {
    // Most texts have no context word and end here.
    if (!names.test(text)) return []
    const written = text.replaceAll(separated, (groups) => groups.replaceAll(/[./]/g, '-'))
    return digitRuns(written, lengthMin).flatMap((run) =>
      partsOf(run, shapes)
        .filter(({ digits }) => isValid(digits))
        .map(({ span }) => span)
        .filter((span) => names.test(textAround(text, span, { before: 80, after: 40 }))),
    )
  }
}

/** Groups separated by dots or slashes. */
const separated = /(?<![\d.,/])\d{2,4}([./])\d{2,3}\1\d{3,4}(?:\1\d{3})?(?![\d/]|[.,]\d)/g

function lengthOf(shape: string): number {
  return shape.split('-').reduce((sum, length) => sum + Number(length), 0)
}

function partsOf(run: DigitRun, shapes: readonly string[]): { digits: string; span: Span }[] {
  return run.groups.flatMap((_, first) =>
    shapes.flatMap((shape) => {
      const last = first + shape.split('-').length - 1
      if (last >= run.groups.length || run.shapeOf(first, last) !== shape || !run.standsAlone(first, last)) return []
      const digits = run.groups
        .slice(first, last + 1)
        .map((group) => group.digits)
        .join('')
      return [{ digits, span: run.spanOf(first, last) }]
    }),
  )
}
