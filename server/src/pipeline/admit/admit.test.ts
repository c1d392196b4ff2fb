import { describe, expect, it } from 'vitest'
import type { BrakeState } from '#domain/limits/brake.ts'
import { rateRules } from '#domain/limits/rate.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { asGatewayError, errorBody } from '#errors/gateway-error.ts'
import { createMemoryRates } from '#store/memory/memory-rates.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { createAdmit } from './admit.ts'

const startMs = 1_800_000_000_000

function startAdmit(brake: BrakeState = { engaged: false }) {
  const world = { nowMs: startMs, brake }
  const admit = createAdmit({ rates: createMemoryRates(), brake: () => world.brake, clock: () => world.nowMs })
  const refusal = (...request: Parameters<typeof admit>) =>
    admit(...request).then(
      () => expect.fail('the request was admitted'),
      (error: unknown) => asGatewayError(error),
    )
  const admitTimes = async (count: number, ...request: Parameters<typeof admit>) => {
    for (let sent = 0; sent < count; sent += 1) await admit(...request)
  }
  return { world, admit, admitTimes, refusal }
}

describe('the request rate', () => {
  it.each([
    ['[LIMIT-01]', 'inference', '9.99', 20],
    ['[LIMIT-02]', 'inference', '10', 200],
    ['[LIMIT-07]', 'account', '0', 600],
  ] as const)('%s %s with $%s: %i pass', async (_clause, rateClass, balance, limit) => {
    const { admitTimes, refusal } = startAdmit()
    const principal = makePrincipal({ balance: parseUsd(balance) })
    await admitTimes(limit, principal, rateClass)
    expect((await refusal(principal, rateClass)).errorName).toBe('rateLimited')
  })

  it('[LIMIT-08] tells the window in headers, whether it admits or refuses', async () => {
    const { world, admit, admitTimes, refusal } = startAdmit()
    const principal = makePrincipal({ balance: parseUsd('1') })
    world.nowMs = startMs + 30_500
    expect(await admit(principal, 'inference')).toEqual({
      'x-ratelimit-limit': '20',
      'x-ratelimit-remaining': '19',
      'x-ratelimit-reset': '1800000060',
    })
    await admitTimes(19, principal, 'inference')
    const error = await refusal(principal, 'inference')
    expect(error.row.status).toBe(429)
    expect(error.message).toBe('Rate limit exceeded: 20 requests per minute. Retry in 30 seconds.')
    expect(Number.isInteger(errorBody(error).error.code)).toBe(true)
    expect(error.retryAfterS).toBe(30)
    expect(error.headers).toEqual({
      'x-ratelimit-limit': '20',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1800000060',
    })
  })

  it('[LIMIT-03] all keys of a user share one window', async () => {
    const { admitTimes, refusal } = startAdmit()
    const first = makePrincipal({ balance: parseUsd('1') })
    const second = makePrincipal({ balance: parseUsd('1'), userId: first.userId, walletId: first.walletId })
    await admitTimes(10, first, 'inference')
    await admitTimes(10, second, 'inference')
    expect((await refusal(first, 'inference')).errorName).toBe('rateLimited')
  })

  it('[LIMIT-04] a user counts apart on another wallet', async () => {
    const { admit, admitTimes } = startAdmit()
    const personal = makePrincipal({ balance: parseUsd('1') })
    await admitTimes(20, personal, 'inference')
    const organization = makePrincipal({ userId: personal.userId, balance: parseUsd('1') })
    await expect(admit(organization, 'inference')).resolves.toMatchObject({ 'x-ratelimit-remaining': '19' })
  })

  it('[LIMIT-09] a block is a 429 with an integer code that speaks of a temporary restriction', async () => {
    const { world, admitTimes, refusal } = startAdmit()
    const principal = makePrincipal({ balance: parseUsd('1') })
    for (let past = 0; past < 4; past += 1) {
      await admitTimes(20, principal, 'inference')
      expect((await refusal(principal, 'inference')).errorName).toBe('rateLimited')
      world.nowMs += rateRules.windowMs
    }
    await admitTimes(20, principal, 'inference')
    const error = await refusal(principal, 'inference')
    expect(error.errorName).toBe('penaltyBlocked')
    expect(errorBody(error).error).toMatchObject({ code: 429, message: expect.stringMatching(/temporary restriction/) })
    expect(error.retryAfterS).toBe(60)
    expect(error.message).toBe(
      'A temporary restriction is in place because you exceeded the rate limit repeatedly. Retry in 60 seconds.',
    )
  })
})

describe('[LIMIT-11] the brake', () => {
  it.each([30, 300] as const)(
    'stops inference with 503 and Retry-After %i, before anything is counted',
    async (retryAfterS) => {
      const { world, admit, refusal } = startAdmit({ engaged: true, retryAfterS, reason: 'a drill' })
      const principal = makePrincipal({ balance: parseUsd('1') })
      const error = await refusal(principal, 'inference')
      expect(errorBody(error).error).toMatchObject({ code: 503, message: expect.not.stringContaining('a drill') })
      expect(error.retryAfterS).toBe(retryAfterS)
      world.brake = { engaged: false }
      expect(await admit(principal, 'inference')).toMatchObject({ 'x-ratelimit-remaining': '19' })
    },
  )

  it.each([
    ['a drill', 'the emergency brake is on: a drill'],
    [null, 'the emergency brake is on: no reason given'],
  ])('tells the client when to come back, and the log why: %s', async (reason, inside) => {
    const { refusal } = startAdmit({ engaged: true, retryAfterS: 30, reason })
    expect(await refusal(makePrincipal(), 'inference')).toMatchObject({
      errorName: 'brakeEngaged',
      message: 'New requests are temporarily paused. Retry in 30 seconds.',
      inside,
    })
  })

  it('lets account requests pass', async () => {
    const { admit } = startAdmit({ engaged: true, retryAfterS: 30, reason: null })
    await expect(admit(makePrincipal(), 'account')).resolves.toMatchObject({ 'x-ratelimit-limit': '600' })
  })
})
