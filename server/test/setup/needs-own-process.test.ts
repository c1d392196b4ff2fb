import { expect, it } from 'vitest'
import { needsOwnProcess } from './needs-own-process.ts'

it.each([
  `process.env['WEIR_SECRET'] = secret`,
  'Object.assign(process.env, { WEIR_SECRET: secret })',
  `vi.stubEnv('WEIR_SECRET', secret)`,
  `process.on('SIGTERM', end)`,
  `vi.mock('node:fs')`,
  'vi.useFakeTimers()',
  `clock = stopClock('2030-01-07T12:00:00Z')`,
  'process.memoryUsage().rss',
  'performance.now() - startedAtMs',
])('a test with %s has a process to itself', (line) => {
  expect(needsOwnProcess(`it('works', () => {\n  ${line}\n})\n`)).toBe(true)
})

it('a test that only starts things of its own shares one', () => {
  expect(needsOwnProcess(`const database = await createTestDatabase()\nspawn(process.execPath, [program])\n`)).toBe(
    false,
  )
})
