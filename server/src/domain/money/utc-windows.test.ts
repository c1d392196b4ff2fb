import { expect, it } from 'vitest'
import { isWithinUtc, parseUtcWindows } from './utc-windows.ts'

// 2026-11-16 is a Monday.
it.each<[string, string, boolean]>([
  ['01:00-04:00', '2026-11-16T00:59:59.999Z', false],
  ['01:00-04:00', '2026-11-16T01:00:00Z', true],
  ['01:00-04:00', '2026-11-16T03:59:59.999Z', true],
  ['01:00-04:00', '2026-11-16T04:00:00Z', false],
  ['01:00-04:00 06:30-10:00', '2026-11-16T06:29Z', false],
  ['01:00-04:00 06:30-10:00', '2026-11-16T06:30Z', true],
  ['00:00-24:00', '2026-11-15T23:59Z', true],
  ['Mon-Fri 00:00-24:00', '2026-11-16T00:00Z', true],
  ['Mon-Fri 00:00-24:00', '2026-11-20T23:59Z', true],
  ['Mon-Fri 00:00-24:00', '2026-11-21T00:00Z', false],
  ['Mon-Fri 00:00-24:00', '2026-11-15T12:00Z', false],
  ['Sat-Mon 00:00-24:00', '2026-11-15T12:00Z', true],
  ['Sat-Mon 00:00-24:00', '2026-11-17T12:00Z', false],
  ['Sat,Sun 10:00-11:00', '2026-11-21T10:30Z', true],
  ['Mon-Fri 01:00-02:00; Sat,Sun 00:00-24:00', '2026-11-16T00:30Z', false],
  ['Mon   01:00-02:00   03:00-04:00', '2026-11-16T03:30Z', true],
  ['Mon-Fri 01:00-02:00; Sat,Sun 00:00-24:00', '2026-11-21T00:30Z', true],
])('%s has %s: %s', (windows, at, isInside) => {
  expect(isWithinUtc(windows, Date.parse(at))).toBe(isInside)
})

it.each([
  '',
  'Mon',
  'Mon-Fri',
  '1:00-4:00',
  '04:00-01:00',
  '04:00-04:00',
  '00:00-24:01',
  '00:60-02:00',
  '00:00-01:60',
  'mon 00:00-01:00',
  'Mon-Tue-Wed 00:00-01:00',
  'Mon-Xyz 00:00-01:00',
  'Xyz-Mon 00:00-01:00',
  '101:00-04:00',
  '01:00-04:000',
  'Mon, 00:00-01:00',
  '00:00-01:00;',
  '00:00-01:00 x',
  'x',
])('%j is no hours of a week', (text) => {
  expect(parseUtcWindows(text)).toBeNull()
  expect(isWithinUtc(text, 0)).toBe(false)
})
