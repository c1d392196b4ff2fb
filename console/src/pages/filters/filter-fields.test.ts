import { expect, it } from 'vitest'
import type { FilterMatcher, FilterTemplate } from '../../api/filters.ts'
import { emptyFilter, type FilterFields, fieldsOf, filterBodyOf, matcherOf } from './filter-fields.ts'

const templates: readonly FilterTemplate[] = [
  { template: 'iban', kind: 'sensitive', title: 'International bank account numbers' },
]
const times = { position: 0, createdAt: '2026-11-18T00:00:00Z', updatedAt: '2026-11-18T00:00:00Z' }

it.each<[FilterMatcher]>([
  [{ kind: 'template', template: 'iban' }],
  [{ kind: 'keyword', keyword: 'project x' }],
  [{ kind: 'regex', pattern: 'a+', ignoreCase: false }],
  [{ kind: 'regex', pattern: 'a+', ignoreCase: true }],
])('a form keeps %o', (matcher) => {
  const rule = { id: '1', name: 'One', enabled: false, action: 'block', matcher, ...times } as const
  const fields = fieldsOf(rule)
  const kept = matcherOf(fields, templates)
  expect(kept).toEqual(matcher)
  expect(filterBodyOf({ ...fields, name: ' One ' }, matcher)).toEqual({
    name: 'One',
    enabled: false,
    action: 'block',
    matcher,
  })
})

it.each<[Partial<FilterFields>]>([
  [{ kind: 'template', template: '', keyword: 'left from before' }],
  [{ kind: 'template', template: 'unknown' }],
  [{ kind: 'keyword', keyword: '  ', pattern: 'a' }],
  [{ kind: 'regex', pattern: '' }],
])('a form without an input of its kind has no matcher: %o', (fields) => {
  expect(matcherOf({ ...emptyFilter, ...fields }, templates)).toBeNull()
})

it('a keyword has no space around it', () => {
  const matcher = matcherOf({ ...emptyFilter, kind: 'keyword', keyword: ' project x ' }, templates)
  expect(matcher).toEqual({ kind: 'keyword', keyword: 'project x' })
})
