import { expect, it } from 'vitest'
import { logFault } from './log-fault.ts'

function startLog() {
  const lines: unknown[] = []
  const write = (level: string) => (event: object, message: string) => void lines.push({ level, ...event, message })
  return { lines, log: { info: write('info'), warn: write('warn'), error: write('error') } }
}

it('logs the begin without a count, then how often since when, then the end', () => {
  const { lines, log } = startLog()
  let nowMs = Date.UTC(2027, 0, 1)
  const watch = logFault(log, 'the store is away', { nowMs: () => nowMs })
  watch.failed(new Error('refused'))
  nowMs += 60_000
  watch.failed(new Error('refused'))
  watch.succeeded()
  const since = '2027-01-01T00:00:00.000Z'
  expect(lines).toEqual([
    { level: 'error', error: 'refused', message: 'the store is away' },
    { level: 'error', error: 'refused', times: 2, since, message: 'the store is away' },
    { level: 'info', times: 2, since, message: 'recovered: the store is away' },
  ])
})

it('warns where told to, and begins anew after a fault that nothing ended', () => {
  const { lines, log } = startLog()
  let nowMs = 0
  const watch = logFault(log, 'a connection broke', { level: 'warn', overAfterMs: 1_000, nowMs: () => nowMs })
  watch.failed(new Error('one'))
  nowMs = 1_000
  watch.failed(new Error('two'))
  expect(lines).toEqual([
    { level: 'warn', error: 'one', message: 'a connection broke' },
    { level: 'warn', error: 'two', message: 'a connection broke' },
  ])
})
