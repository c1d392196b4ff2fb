import { expect, it } from 'vitest'
import { platformAuditFilter } from './platform-audit-filter.ts'
import { parsePlatformAuditSearch } from './search.ts'

it('passes the filters on, with the whole last day of a range', () => {
  expect(platformAuditFilter({ actor: 'ada@example.com', period: '2026-11-01..2026-11-02' })).toEqual({
    actor: 'ada@example.com',
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-03T00:00:00.000Z',
  })
  expect(platformAuditFilter({ action: 'catalogue.', target: 'acme/one' })).toEqual({
    action: 'catalogue.',
    target: 'acme/one',
  })
})

it('ignores what an address may not say', () => {
  expect(parsePlatformAuditSearch({ action: 'dance.', actor: '', target: 7, period: 'soon' })).toEqual({})
  const valid = { action: 'brake.', actor: 'ada', target: 'acme/one', period: '2026-11-01..2026-11-02' }
  expect(parsePlatformAuditSearch(valid)).toEqual(valid)
})
