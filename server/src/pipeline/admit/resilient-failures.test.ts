import { describe, expect, it } from 'vitest'
import type { Failures } from '#ports/shared-counts.ts'
import { createResilientFailures } from './resilient-failures.ts'

const taken = { pausedUntilMs: 0, earlierUntilMs: 0 }

/** A failure store that records its calls, and then fails if it is unavailable. */
function storeOf(asked: unknown[][], name: string, isAway: boolean): Failures {
  const note = async (...request: unknown[]): Promise<void> => {
    asked.push([name, ...request])
    if (isAway) throw new Error('away')
  }
  return {
    take: (...request) => note('take', ...request).then(() => ({ allowed: true, taken })),
    giveBack: (...request) => note('giveBack', ...request),
    notePressure: (...request) => note('notePressure', ...request).then(() => 3),
    readPressure: (...request) => note('readPressure', ...request).then(() => 4),
  }
}

function startFailures(isAway: boolean, clockMs = 7) {
  const asked: unknown[][] = []
  const failures = createResilientFailures({
    primary: storeOf(asked, 'store', isAway),
    fallback: storeOf(asked, 'memory', false),
    nowMs: () => clockMs,
  })
  return { failures, asked }
}

const questions: [string, (failures: Failures) => Promise<unknown>, unknown[], unknown][] = [
  ['take', (failures) => failures.take('who', 5, 7), ['who', 5, 7], { allowed: true, taken }],
  ['giveBack', (failures) => failures.giveBack('who', taken), ['who', taken], undefined],
  ['notePressure', (failures) => failures.notePressure('who', 7), ['who', 7], 3],
  ['readPressure', (failures) => failures.readPressure('who', 7), ['who', 7], 4],
]

describe('counts of wrong passwords', () => {
  it.each(questions)('are those of the store while it is there: %s', async (name, ask, request, answer) => {
    const { failures, asked } = startFailures(false)
    expect(await ask(failures)).toEqual(answer)
    expect(asked).toEqual([['store', name, ...request]])
  })

  it.each(questions)('are those of the fallback while it is away: %s', async (name, ask, request, answer) => {
    const { failures, asked } = startFailures(true)
    expect(await ask(failures)).toEqual(answer)
    // The store is not retried within the second.
    expect(await ask(failures)).toEqual(answer)
    expect(asked).toEqual([
      ['store', name, ...request],
      ['memory', name, ...request],
      ['memory', name, ...request],
    ])
  })
})
