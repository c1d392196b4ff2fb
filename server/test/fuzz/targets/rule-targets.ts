import { ConfigError } from '#config/config-error.ts'
import { parseConfig } from '#config/parse-config.ts'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { detectors } from '#domain/filters/detectors/detectors.ts'
import { compileMatcher, templateFinder } from '#domain/filters/matching/compile-matcher.ts'
import { parseFilterRule } from '#domain/filters/parse-filter-rule.ts'
import { redactText } from '#domain/filters/text/redact-text.ts'
import { joinSpans } from '#domain/filters/text/span.ts'
import { TextViews } from '#domain/filters/text/text-views.ts'
import { parsePrice } from '#domain/money/state-price.ts'
import { parseJsonObject } from '#lib/json.ts'
import { ensure, ensureSame } from '../engine/expect.ts'
import { mutateJson } from '../engine/mutate-json.ts'
import type { FuzzTarget } from '../target.ts'

const finders = Object.values(detectors).map((detector) => templateFinder(detector))
const bounds = { matchesMax: 1_000, isLate: () => false }

export const ruleTargets: readonly FuzzTarget[] = [
  {
    name: 'filter-rules',
    runs: 8_000,
    mutate: mutateJson,
    // A pattern has at most a thousand characters.
    bytesMax: 8_192,
    words: ['(?i)', '(a*)*', '[^', '{1000}', '\\p{L}', '(?P<x>', '|', '\\b', '.*'],
    run: (input) => {
      const body = parseJsonObject(input.toString('utf8'))
      const rule = body === undefined ? undefined : parseFilterRule(body)
      if (rule?.accepted !== true || rule.value.matcher === undefined) return
      const compiled = compileMatcher(rule.value.matcher)
      if (!compiled.compiled) return ensure(compiled.reason.length > 0, 'a refusal says why')
      const text = `weir ${input.toString('utf8').slice(0, 500)} 4111 1111 1111 1111`
      const { spans } = compiled.find(new TextViews(text), bounds)
      redactText(text, joinSpans(spans))
      for (const { start, end } of spans) ensure(start >= 0 && start <= end && end <= text.length, 'a match is inside')
    },
  },
  {
    name: 'filter-templates',
    runs: 4_000,
    bytesMax: 32_768,
    run: (input) => {
      const text = input.toString('utf8')
      const views = new TextViews(text)
      for (const find of finders) {
        const spans = joinSpans(find(views, bounds).spans)
        for (const { start, end } of spans) ensure(start >= 0 && start < end && end <= text.length, 'a match is inside')
        ensure(redactText(text, spans).length <= text.length + 10 * spans.length, 'a redaction is short')
      }
    },
  },
  {
    name: 'catalogue-file',
    runs: 10_000,
    mutate: mutateJson,
    run: (input) => {
      const parsed = parseCatalogueFile(parse(input))
      if (!parsed.accepted) return ensure(parsed.problems.length > 0, 'a refusal says why')
      for (const row of parsed.rows) for (const price of row.prices) parsePrice({ id: row.id, ...price })
    },
  },
  {
    name: 'config-file',
    runs: 3_000,
    bytesMax: 16_384,
    run: (input) => {
      const env = { WEIR_SECRET: 'Jm3vQp8sXw2nLk7tRy5uBz9cHd4fGa6e' }
      const [variable = '', value = '', ...rest] = input.toString('utf8').split('\n')
      try {
        const config = parseConfig({ env: { ...env, [variable]: value }, fileText: rest.join('\n') })
        ensureSame(config.secret, variable === 'WEIR_SECRET' && value !== '' ? value : env.WEIR_SECRET, 'one secret')
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error
      }
    },
  },
]

function parse(input: Buffer): unknown {
  try {
    return JSON.parse(input.toString('utf8'))
  } catch {
    return undefined
  }
}
