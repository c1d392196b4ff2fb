import { describe, expect, it } from 'vitest'
import { testPayer } from '#test/streams/test-ticket.ts'
import { one, two, complete, failed, broken, refused, stage, document } from '#test/streams/dispatch-stage.ts'

describe('a second try', () => {
  it('goes to whoever may have had a hiccup, after a moment', async () => {
    const { run, asked, waits, budget } = stage({ one: [failed, complete] })
    expect(await run([one]).reply).toEqual(document)
    expect(asked).toEqual(['one', 'one'])
    expect(waits).toEqual([200])
    expect(budget.spent).toBe(1)
  })

  it('is not made without a budget for it', async () => {
    const { refusal, asked, budget, waits } = stage({ one: [failed] })
    budget.left = 0
    await refusal([one])
    expect(asked).toEqual(['one'])
    expect(waits).toEqual([])
  })

  it('is not made where others have found out meanwhile that it is no hiccup', async () => {
    const { refusal, asked, deps } = stage({ one: [failed] })
    deps.wait = () => {
      deps.health.failed(one, { payer: testPayer, reason: 'upstream_unreachable' })
      return Promise.resolve()
    }
    await refusal([one])
    expect(asked).toEqual(['one'])
  })

  it('is not made where the client was sent a byte meanwhile', async () => {
    const { refusal, asked, deps, connection } = stage({ one: [failed] })
    deps.wait = () => {
      connection.startStream({})
      return Promise.resolve()
    }
    await refusal([one])
    expect(asked).toEqual(['one'])
  })

  it('waits for as long as the upstream asked for', async () => {
    const soon = refused({ errorName: 'upstreamRateLimited', status: 429, retryAfterMs: 1_500 })
    const { run, waits } = stage({ one: [soon, complete] })
    expect(await run([one]).reply).toEqual(document)
    expect(waits).toEqual([1_500])
  })
})

describe('candidates that are not well', () => {
  it('are passed over, and the record says so', async () => {
    const { run, asked, deps } = stage({ two: [complete] }, { failures: 1, openMs: 30_000 })
    deps.health.failed(one, { payer: testPayer, reason: 'upstream_unreachable' })
    const { ticket, reply } = run()
    await reply
    expect(asked).toEqual(['two'])
    expect(ticket.skipped).toEqual([{ model: 'acme/model', provider: 'openai', rule: 'circuit_open' }])
  })

  it('are refused with 503 where there are no others', async () => {
    const { refusal, asked, deps } = stage({}, { failures: 1, openMs: 30_000 })
    deps.health.failed(one, { payer: testPayer, reason: 'upstream_unreachable' })
    deps.health.failed(two, { payer: testPayer, reason: 'upstream_unreachable' })
    const { error } = await refusal()
    expect(error.row).toMatchObject({ status: 503, code: 'upstream_unavailable' })
    expect(error).toMatchObject({
      message: 'All providers for this model are temporarily unavailable. Nothing was charged. Retry shortly.',
      inside: 'one, two',
      retryAfterS: 5,
    })
    expect(asked).toEqual([])
  })

  it('are refused with 429 and their pause where they have asked for one', async () => {
    const { refusal, deps, asked } = stage({})
    deps.health.throttled(one, 7_500)
    const { error, ticket } = await refusal([one])
    expect(error.row).toMatchObject({ status: 429, code: 'upstream_rate_limited' })
    expect(error).toMatchObject({ retryAfterS: 8, inside: 'one: upstreamRateLimited: skipped: throttled' })
    expect(ticket.skipped).toMatchObject([{ rule: 'throttled' }])
    expect(asked).toEqual([])
  })

  it('do not hide what another said that was asked', async () => {
    const { refusal, deps } = stage({ two: [broken] }, { failures: 2, openMs: 30_000 })
    deps.health.failed(one, { payer: testPayer, reason: 'upstream_unreachable' })
    deps.health.failed(one, { payer: testPayer, reason: 'upstream_unreachable' })
    expect((await refusal()).error.errorName).toBe('upstreamStalled')
  })

  it('are found again by one request, which is known as their trial', async () => {
    const { run, deps, asked } = stage({ one: [complete] }, { failures: 1, openMs: 30_000 })
    deps.health.failed(one, { payer: testPayer, reason: 'upstream_unreachable' })
    await deps.wait(30_000)
    const { reply } = run([one])
    expect(deps.health.newsOf([one])).not.toBeNull()
    expect(await reply).toEqual(document)
    expect(deps.health.newsOf([one])).toBeNull()
    expect(asked).toEqual(['one'])
    expect(deps.health.judge(one, testPayer)).toEqual({ usable: true, isProbe: false })
  })

  it('are tried by a request that has nobody else, when a tenth of their time is over', async () => {
    const { run, deps, asked, waits } = stage({ one: [complete] }, { failures: 1, openMs: 1_000 })
    deps.health.failed(one, { payer: testPayer, reason: 'upstream_unreachable' })
    const { ticket, reply } = run([one])
    expect(await reply).toEqual(document)
    expect(waits).toEqual([100])
    expect(asked).toEqual(['one'])
    expect(ticket.skipped).toEqual([])
  })
})
