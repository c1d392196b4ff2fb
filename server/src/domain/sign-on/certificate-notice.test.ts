import { expect, it } from 'vitest'
import { dueNotice } from './certificate-notice.ts'

const dayMs = 86_400_000
const nowMs = Date.parse('2030-01-01T00:00:00Z')

it.each([
  [31 * dayMs, null],
  [30 * dayMs + 1, null],
  [30 * dayMs, 30],
  [7 * dayMs + 1, 30],
  [7 * dayMs, 7],
  [dayMs + 1, 7],
  [dayMs, 1],
  [1, 1],
  [0, null],
  [-dayMs, null],
])('of a certificate that ends in %i ms, the notice of %s days is due', (leftMs, days) => {
  expect(dueNotice({ endsAtMs: nowMs + leftMs, nowMs })).toBe(days)
})
