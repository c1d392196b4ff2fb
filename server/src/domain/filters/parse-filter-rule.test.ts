import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { filterTemplates } from './filter-templates.ts'
import { parseFilterRule } from './parse-filter-rule.ts'

describe('[FILTER-04] what is said about a rule', () => {
  it.each([
    { kind: 'keyword', keyword: 'Falcon' },
    { kind: 'regex', pattern: 'a+', ignoreCase: true },
    ...Object.keys(filterTemplates).map((template) => ({ kind: 'template', template })),
  ])('may be that it looks for %j', (matcher) => {
    expect(parseFilterRule({ matcher })).toEqual({ accepted: true, value: { matcher } })
  })

  it('is only what was sent, without what is unknown, and with the case of a pattern settled', () => {
    expect(parseFilterRule({ other: 1 })).toEqual({ accepted: true, value: {} })
    const said = { name: ' Cards ', enabled: false, action: 'redact', position: 0 }
    expect(parseFilterRule({ ...said, matcher: { kind: 'regex', pattern: 'x', other: 1 } })).toEqual({
      accepted: true,
      value: { ...said, name: 'Cards', matcher: { kind: 'regex', pattern: 'x', ignoreCase: false } },
    })
  })

  it.each<JsonObject>([
    { name: '' },
    { name: '  ' },
    { name: 'x'.repeat(101) },
    { name: 'x\0' },
    { name: '\ud800' },
    { name: 5 },
    { enabled: 'yes' },
    { action: 'delete' },
    { action: null },
    { position: -1 },
    { position: 0.5 },
    { position: 1_000_001 },
    { matcher: null },
    { matcher: [] },
    { matcher: {} },
    { matcher: { kind: 'keyword' } },
    { matcher: { kind: 'keyword', keyword: '' } },
    { matcher: { kind: 'keyword', keyword: 'x'.repeat(201) } },
    { matcher: { kind: 'keyword', keyword: 'a\0b' } },
    { matcher: { kind: 'regex', pattern: '' } },
    { matcher: { kind: 'regex', pattern: 'x'.repeat(1_001) } },
    { matcher: { kind: 'regex', pattern: 'x', ignoreCase: 'no' } },
    { matcher: { kind: 'template', template: 'nothing' } },
    { matcher: { kind: 'template', template: 'toString' } },
  ])('is refused with the name of the field: %j', (body) => {
    const parsed = parseFilterRule(body)
    expect(parsed).toMatchObject({ accepted: false })
    expect(parsed).toHaveProperty('problem', expect.stringContaining(Object.keys(body)[0] ?? ''))
  })
})
