import { describe, expect, it } from 'vitest'
import { createHourlyBlobs } from './hourly-blobs.ts'

const blobs = createHourlyBlobs('answers/', /^[0-9a-f]{4}$/)
const at = Date.UTC(2026, 10, 19, 21, 59, 59, 999)

describe('the key of an hourly blob', () => {
  it('begins with its hour, which can be read from it', () => {
    expect(blobs.keyAt(at, '0a1f')).toBe('answers/2026-11-19-21/0a1f')
    expect(blobs.hourMsOf('answers/2026-11-19-21/0a1f')).toBe(Date.UTC(2026, 10, 19, 21))
    expect(blobs.restOf('answers/2026-11-19-21/0a1f')).toBe('0a1f')
  })

  it.each([
    'images/2026-11-19-21/0a1f',
    '/2026-11-19-21/0a1f',
    'answers/2026-11-19-21/0a1',
    'answers/2026-11-19-21/0a1f/',
    'answers/2026-11-19-21/',
    'answers/2026-11-19-2/0a1f',
    'answers/x2026-11-19-21/0a1f',
    'answers/2026-11-19/0a1f',
    '',
  ])('is none of %j', (key) => {
    expect([blobs.hourMsOf(key), blobs.restOf(key)]).toEqual([null, null])
  })
})
