import { describe, expect, it } from 'vitest'
import { readKlingFailure, saysNoSuchTask } from './read-failure.ts'

describe("Kling's refusals", () => {
  it.each([
    [1_004, 200, 'fail-over', 'upstreamAuthFailed'],
    [1_101, 429, 'fail-over', 'upstreamUnavailable'],
    [1_102, 429, 'fail-over', 'upstreamUnavailable'],
    [1_201, 200, 'give-up', 'unknownUpstream4xx'],
    [1_301, 400, 'give-up', 'contentModeration'],
    [1_302, 429, 'retry', 'upstreamRateLimited'],
    [1_303, 200, 'retry', 'upstreamRateLimited'],
    [5_001, 200, 'retry', 'upstreamUnavailable'],
    [9_999, 200, 'give-up', 'unknownUpstream4xx'],
    [9_999, 502, 'retry', 'upstreamUnavailable'],
  ] as const)('go by the number %i, also with status %i', (code, status, action, errorName) => {
    const body = JSON.stringify({ code, message: 'It says no.', request_id: 'r' })
    expect(readKlingFailure(status, {}, body)).toMatchObject({ action, errorName, status })
  })

  it('say in two ways that there is no such task, and no task that runs says so', () => {
    expect(saysNoSuchTask({ code: 1_203, message: '' })).toBe(true)
    expect(saysNoSuchTask({ code: 1_201, message: 'Task not found' })).toBe(true)
    expect(saysNoSuchTask({ code: 1_201, message: 'Invalid id' })).toBe(false)
    expect(saysNoSuchTask({ code: 0, message: 'not found' })).toBe(false)
  })
})
