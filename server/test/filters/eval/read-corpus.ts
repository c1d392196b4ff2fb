import { readFileSync } from 'node:fs'
import type { FilterTemplateName } from '#domain/filters/filter-templates.ts'
import type { Span } from '#domain/filters/text/span.ts'

export interface Sample {
  readonly template: FilterTemplateName
  /** The line in the file, from 1. */
  readonly line: number
  readonly language: string
  readonly text: string
  /** The exact expected matches; none in a sample that must not match. */
  readonly expected: readonly Span[]
  /** Every third sample is held out: rules are tuned without it. */
  readonly isHeldOut: boolean
}

/**
 * One sample per line: its language, a tab, and the text. Expected matches are between ⟦ and ⟧, a line break is \n, a
 * backslash is doubled. A ⁞ is removed: it splits fake secrets, so that no scanner reports this file as a leak.
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
