import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rateLimitOf, type RateVerdict } from '#domain/limits/rate.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import type { Rates, RateSubject } from '#ports/shared-counts.ts'

interface OpenedRates {
  rates: Rates
  close(): Promise<void>
}

const windowMs = 60_000
const cancelsWithinMs = 600_000
const startMs = 1_800_000_000_000 - (1_800_000_000_000 % windowMs)

/** The contract of Rates; every implementation runs this suite. */
export function describeRates(name: string, open: () => Promise<OpenedRates>): void {
  describe(name, () => {
    let opened: OpenedRates
    beforeAll(async () => {
      opened = await open()
    })
    afterAll(() => opened.close())
    const rates = () => opened.rates
    describe('windows', () => describeWindows(rates))
    describe('readings', () => describeReadings(rates))
    describe('blocks', () => describeBlocks(rates))
    describe('cancels', () => describeCancels(rates))
  })
}

export function newSubject(special: Partial<RateSubject> = {}): RateSubject {
  return { walletId: newUuid(startMs), clientId: newUuid(startMs), class: 'inference', ...special }
}

function describeWindows(rates: () => Rates): void {
  it.each([
    ['[LIMIT-01]', '9.999999999', 20],
    ['[LIMIT-02]', '10', 200],
  ])('%s with $%s a window takes %i inference requests and not one more', async (_clause, balance, limit) => {
    expect(rateLimitOf('inference', parseUsd(balance))).toBe(limit)
    const verdicts = await send(rates(), newSubject(), limit + 1, limit, startMs + 1_500)
    expect(verdicts.slice(0, limit).every((verdict) => verdict.allowed)).toBe(true)
    expect(verdicts[0]).toEqual({ allowed: true, limit, remaining: limit - 1, resetAtMs: startMs + windowMs })
    expect(verdicts.at(-1)).toEqual({
      allowed: false,
      reason: 'window',
      limit,
      resetAtMs: startMs + windowMs,
      retryAfterMs: windowMs - 1_500,
    })
  })

  it('[LIMIT-02] parallel requests share the window exactly', async () => {
    const subject = newSubject()
    const verdicts = await Promise.all(Array.from({ length: 300 }, () => rates().admit(subject, 200, startMs)))
    expect(verdicts.filter((verdict) => verdict.allowed)).toHaveLength(200)
  })

  it('[LIMIT-04] a new window starts each full minute, and each wallet and caller has its own', async () => {
    const subject = newSubject()
    await send(rates(), subject, 1, 1, startMs + windowMs - 1)
    expect(await rates().admit(subject, 1, startMs + windowMs)).toMatchObject({ allowed: true, remaining: 0 })
    const others = [newSubject({ walletId: subject.walletId }), newSubject({ clientId: subject.clientId })]
    for (const other of others) {
      expect(await rates().admit(other, 1, startMs + windowMs)).toMatchObject({ allowed: true })
    }
  })

  it('[LIMIT-06] a pace under the limit is never refused, however long it lasts', async () => {
    const subject = newSubject()
    for (let minute = 0; minute < 60; minute += 1) {
      const verdicts = await send(rates(), subject, 3, 3, startMs + minute * windowMs)
      expect(verdicts.every((verdict) => verdict.allowed)).toBe(true)
    }
  })

  it('[LIMIT-07] account requests leave the inference window untouched', async () => {
    const inference = newSubject()
    const account = { ...inference, class: 'account' as const }
    expect(rateLimitOf('account', parseUsd('0'))).toBe(600)
    await send(rates(), account, 5, 2, startMs)
    expect(await rates().admit(inference, 20, startMs)).toMatchObject({ allowed: true, remaining: 19 })
  })

  it('a process whose clock lags behind counts in the window that another has opened', async () => {
    const subject = newSubject()
    await send(rates(), subject, 1, 2, startMs + windowMs)
    await send(rates(), subject, 1, 2, startMs + windowMs - 5)
    expect(await rates().admit(subject, 2, startMs + windowMs)).toMatchObject({ reason: 'window' })
  })
}

function describeReadings(rates: () => Rates): void {
  it('D3: reading how a window stands counts no request', async () => {
    const subject = newSubject()
    const read = (nowMs: number) => rates().read(subject, 3, nowMs)
    const standing = { allowed: true, limit: 3, resetAtMs: startMs + windowMs }
    expect(await read(startMs)).toEqual({ ...standing, remaining: 3 })
    await send(rates(), subject, 2, 3, startMs)
    for (const nowMs of [startMs, startMs + windowMs - 1]) {
      expect(await read(nowMs)).toEqual({ ...standing, remaining: 1 })
    }
    await send(rates(), subject, 2, 3, startMs)
    expect(await read(startMs)).toEqual({ ...standing, remaining: 0 })
    const next = startMs + windowMs
    expect(await read(next)).toEqual({ ...standing, remaining: 3, resetAtMs: next + windowMs })
    await send(rates(), subject, 1, 3, next)
    // A process whose clock is behind reads the window that another process has opened.
    expect(await read(next - 5)).toEqual({ ...standing, remaining: 2, resetAtMs: next + windowMs })
  })

  it('D3: reading tells how long a block lasts', async () => {
    const subject = newSubject()
    for (let minute = 0; minute < 5; minute += 1) await send(rates(), subject, 2, 1, startMs + minute * windowMs)
    const admitted = await rates().admit(subject, 1, startMs + 5 * windowMs - 1)
    expect(admitted).toMatchObject({ allowed: false, reason: 'penalty' })
    expect(await rates().read(subject, 1, startMs + 5 * windowMs - 1)).toEqual(admitted)
  })
}

function describeBlocks(rates: () => Rates): void {
  it('[LIMIT-09] the fifth window in a row over the limit blocks for 60 s', async () => {
    const subject = newSubject()
    const excesses = await exceed(rates(), subject, 5, startMs)
    expect(excesses.slice(0, 4).map((verdict) => verdict && 'reason' in verdict && verdict.reason)).toEqual(
      Array(4).fill('window'),
    )
    const blockedAtMs = startMs + 4 * windowMs
    const untilMs = blockedAtMs + 60_000
    const blocked = { allowed: false, reason: 'penalty', limit: 1, resetAtMs: untilMs }
    expect(excesses[4]).toEqual({ ...blocked, retryAfterMs: 60_000 })
    expect(await rates().admit(subject, 1, untilMs - 1)).toEqual({ ...blocked, retryAfterMs: 1 })
    expect(await rates().admit(subject, 1, untilMs)).toMatchObject({ allowed: true })
  })

  it('[LIMIT-09] a window within the limit breaks the row', async () => {
    const subject = newSubject()
    await exceed(rates(), subject, 4, startMs)
    await send(rates(), subject, 1, 1, startMs + 4 * windowMs)
    const excesses = await exceed(rates(), subject, 4, startMs + 5 * windowMs)
    expect(excesses.every((verdict) => verdict && 'reason' in verdict && verdict.reason === 'window')).toBe(true)
  })

  it('[LIMIT-09] each block is twice as long as the last, up to 15 minutes, and forgotten after a day', async () => {
    const subject = newSubject()
    const lengthsS: number[] = []
    let nowMs = startMs
    for (let round = 0; round < 6; round += 1) {
      const blocked = (await exceed(rates(), subject, 5, nowMs)).at(-1)
      const retryAfterMs = blocked && 'retryAfterMs' in blocked ? blocked.retryAfterMs : 0
      lengthsS.push(retryAfterMs / 1000)
      nowMs += 5 * windowMs + retryAfterMs
    }
    expect(lengthsS).toEqual([60, 120, 240, 480, 900, 900])
    const forgiven = (await exceed(rates(), subject, 5, nowMs + 86_400_000)).at(-1)
    expect(forgiven).toMatchObject({ reason: 'penalty', retryAfterMs: 60_000 })
  })
}

function describeCancels(rates: () => Rates): void {
  it('[LIMIT-10] 20 unbilled cancels of a key within 10 minutes block the caller', async () => {
    const subject = newSubject()
    const keyId = newUuid(startMs)
    for (let cancel = 0; cancel < 19; cancel += 1) await rates().noteUnbilledCancel(subject, keyId, startMs)
    const lastMs = startMs + cancelsWithinMs - 1
    expect(await rates().admit(subject, 20, lastMs)).toMatchObject({ allowed: true })
    await rates().noteUnbilledCancel(subject, newUuid(startMs), lastMs)
    expect(await rates().admit(subject, 20, lastMs)).toMatchObject({ allowed: true })
    await rates().noteUnbilledCancel(subject, keyId, lastMs)
    expect(await rates().admit(subject, 20, lastMs)).toMatchObject({ reason: 'penalty', retryAfterMs: 60_000 })
  })

  it('[LIMIT-10] cancels that led to a block do not count for the next', async () => {
    const subject = newSubject()
    const keyId = newUuid(startMs)
    for (let cancel = 0; cancel < 20; cancel += 1) await rates().noteUnbilledCancel(subject, keyId, startMs)
    const overMs = startMs + 60_000
    for (let cancel = 0; cancel < 19; cancel += 1) await rates().noteUnbilledCancel(subject, keyId, overMs)
    expect(await rates().admit(subject, 20, overMs)).toMatchObject({ allowed: true })
    await rates().noteUnbilledCancel(subject, keyId, overMs)
    expect(await rates().admit(subject, 20, overMs)).toMatchObject({ reason: 'penalty', retryAfterMs: 120_000 })
  })

  it('[LIMIT-10] cancels spread over more than 10 minutes do not block', async () => {
    const subject = newSubject()
    const keyId = newUuid(startMs)
    const apartMs = cancelsWithinMs / 19
    for (let cancel = 0; cancel < 60; cancel += 1) {
      await rates().noteUnbilledCancel(subject, keyId, Math.ceil(startMs + cancel * apartMs))
    }
    const nowMs = Math.ceil(startMs + 60 * apartMs)
    expect(await rates().admit(subject, 20, nowMs)).toMatchObject({ allowed: true })
  })

  it('[LIMIT-10] a hundred requests cancelled together are one block, not five', async () => {
    const subject = newSubject()
    const keyId = newUuid(startMs)
    await Promise.all(Array.from({ length: 100 }, () => rates().noteUnbilledCancel(subject, keyId, startMs)))
    expect(await rates().admit(subject, 20, startMs)).toMatchObject({ reason: 'penalty', retryAfterMs: 60_000 })
  })
}

async function send(
  rates: Rates,
  subject: RateSubject,
  count: number,
  limit: number,
  nowMs: number,
): Promise<RateVerdict[]> {
  const verdicts: RateVerdict[] = []
  for (let sent = 0; sent < count; sent += 1) verdicts.push(await rates.admit(subject, limit, nowMs))
  return verdicts
}

/** Exceeds a limit of one in consecutive windows, and returns the verdict of each excess. */
async function exceed(
  rates: Rates,
  subject: RateSubject,
  windows: number,
  fromMs: number,
): Promise<(RateVerdict | undefined)[]> {
  const excesses: (RateVerdict | undefined)[] = []
  for (let past = 0; past < windows; past += 1) {
    excesses.push((await send(rates, subject, 2, 1, fromMs + past * windowMs)).at(-1))
  }
  return excesses
}
