import { expect, it } from 'vitest'
import { boundConnections } from './bound-connections.ts'

function bound(wanted: number, filesMax: number | null) {
  const warnings: string[] = []
  return { taken: boundConnections(wanted, { filesMax, warn: (message) => void warnings.push(message) }), warnings }
}

it('takes what is wanted where files allow it', () => {
  expect(bound(16_384, null)).toEqual({ taken: 16_384, warnings: [] })
  expect(bound(400, 1_000)).toEqual({ taken: 400, warnings: [] })
})

it('takes no more than have two files each beside what else is open, and says so', () => {
  const { taken, warnings } = bound(401, 1_000)
  expect(taken).toBe(400)
  expect(warnings).toEqual([
    expect.stringContaining(
      'http.connectionsMax is 401, but this process can only open 1000 files, so it accepts 400 connections',
    ),
  ])
})

it('takes one even where there is room for none', () => {
  expect(bound(10, 64).taken).toBe(1)
})
