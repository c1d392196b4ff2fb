import { readFileSync } from 'node:fs'
import type { FilterTemplateName } from '#domain/filters/filter-templates.ts'
import type { Span } from '#domain/filters/text/span.ts'

export interface Sample {
  readonly template: FilterTemplateName
  /** Its line in the file, from 1. */
  readonly line: number
  readonly language: string
  readonly text: string
  /** What must be found, and nothing else; none in a sample that only tempts. */
  readonly expected: readonly Span[]
  /** Every third sample is kept back: rules are tuned without a look at it. */
  readonly isHeldOut: boolean
}

/**
 * One sample a line: its language, a tab, and the text. What must be found stands between ⟦ and ⟧, a line break is
 * written \n, a backslash twice. A ⁞ stands for nothing: it breaks up invented secrets, so that no scanner takes this
 * file for a leak.
 */
export function readCorpus(template: FilterTemplateName): Sample[] {
  const lines = readFileSync(new URL(`corpus/${template}.tsv`, import.meta.url), 'utf8').split('\n')
  return lines.flatMap((content, index) => {
    if (content === '') return []
    const [language = '', ...rest] = content.split('\t')
    const { text, expected } = parseMarks(unescape(rest.join('\t')))
    return [{ template, line: index + 1, language, text, expected, isHeldOut: index % 3 === 2 }]
  })
}

function unescape(written: string): string {
  return written
    .replaceAll('⁞', '')
    .replaceAll(/\\(.)/g, (_, character: string) => (character === 'n' ? '\n' : character))
}

function parseMarks(marked: string): { text: string; expected: Span[] } {
  const expected: Span[] = []
  let text = ''
  let start = 0
  for (const part of marked.split(/([⟦⟧])/)) {
    if (part === '⟦') start = text.length
    else if (part === '⟧') expected.push({ start, end: text.length })
    else text += part
  }
  return { text, expected }
}
