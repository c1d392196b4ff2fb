import { expect, it } from 'vitest'
import { auditFilter } from './audit-filter.ts'

it('includes the whole last day', () => {
  expect(auditFilter({ action: 'org.', actor: 'a', period: '2026-11-01..2026-11-30' })).toEqual({
    action: 'org.',
    actorId: 'a',
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-12-01T00:00:00.000Z',
  })
  expect(auditFilter({})).toEqual({})
})
