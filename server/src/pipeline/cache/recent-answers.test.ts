import { describe, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import type { CacheKey } from '#ports/cached-answers.ts'
import type { KeptAnswer } from './kept-answer.ts'
import { RecentAnswers } from './recent-answers.ts'

const key: CacheKey = { walletId: newUuid(1), digest: Buffer.from('one') }
const another = (name: string): CacheKey => ({ ...key, digest: Buffer.from(name) })
const answerOf = (byteCount: number): KeptAnswer => ({ byteCount }) as unknown as KeptAnswer
const answer = answerOf(100)

/** An answer that was kept ten seconds before its row was read, and expires in a minute. */
function recentOf({ ageMs = 10_000, leftMs = 60_000 } = {}) {
  const clock = { nowMs: 1_000_000 }
  const recent = new RecentAnswers(() => clock.nowMs)
  recent.keep({ key, ageMs, leftMs }, answer, clock.nowMs)
  const findAfter = (ms: number, maxAgeMs = 3_600_000): KeptAnswer | null => {
    clock.nowMs = 1_000_000 + ms
    return recent.find(key, maxAgeMs)
  }
  return { clock, recent, findAfter }
}

describe('an answer that was read lately', () => {
  it('[NEXT-114] is used for five seconds, and read again after them', () => {
    const { findAfter } = recentOf()
    expect([findAfter(0), findAfter(4_999), findAfter(5_000)]).toEqual([answer, answer, null])
    // A clock that went back says nothing of the age.
    expect(findAfter(-1)).toBeNull()
  })

  it('[NEXT-114] is not used once it is older than the request accepts, or has expired', () => {
    const { findAfter } = recentOf()
    expect([findAfter(1_999, 12_000), findAfter(2_000, 12_000)]).toEqual([answer, null])
    const expiring = recentOf({ leftMs: 3_000 })
    expect([expiring.findAfter(2_999), expiring.findAfter(3_000)]).toEqual([answer, null])
  })

  it('[NEXT-82] is of its wallet and its request alone', () => {
    const { recent } = recentOf()
    expect(recent.find({ ...key, walletId: newUuid(2) }, 3_600_000)).toBeNull()
    expect(recent.find(another('two'), 3_600_000)).toBeNull()
    expect(recent.find({ walletId: key.walletId, digest: Buffer.from(key.digest) }, 3_600_000)).toBe(answer)
  })

  it('is replaced and dropped with its memory', () => {
    const { recent } = recentOf()
    expect(recent.byteCount).toBe(2_148)
    const longer = answerOf(1_000)
    recent.keep({ key, ageMs: 0, leftMs: 60_000 }, longer, 1_000_000)
    expect([recent.find(key, 3_600_000), recent.byteCount]).toEqual([longer, 3_048])
    recent.drop(another('two'))
    expect(recent.byteCount).toBe(3_048)
    recent.drop(key)
    expect([recent.find(key, 3_600_000), recent.byteCount]).toEqual([null, 0])
  })

  it('[NEXT-114] leaves the memory although no client asks for it again', () => {
    const { clock, recent } = recentOf()
    clock.nowMs += 1
    recent.keep({ key: another('two'), ageMs: 0, leftMs: 60_000 }, answer, clock.nowMs)
    clock.nowMs += 4_998
    recent.dropOld()
    expect(recent.byteCount).toBe(4_296)
    clock.nowMs += 1
    recent.dropOld()
    expect([recent.find(another('two'), 3_600_000), recent.byteCount]).toEqual([answer, 2_148])
  })

  it('makes room for newer ones, in the order of reading', () => {
    const { recent } = recentOf()
    const large = answerOf(33_554_432 - 2_048 - 2_148)
    recent.keep({ key: another('large'), ageMs: 0, leftMs: 60_000 }, large, 1_000_000)
    expect([recent.find(key, 3_600_000), recent.byteCount]).toEqual([answer, 33_554_432])
    recent.keep({ key, ageMs: 0, leftMs: 60_000 }, answer, 1_000_000)
    recent.keep({ key: another('three'), ageMs: 0, leftMs: 60_000 }, answerOf(101), 1_000_000)
    expect([recent.find(another('large'), 3_600_000), recent.find(key, 3_600_000)]).toEqual([null, answer])
    expect(recent.byteCount).toBe(4_297)
  })

  it('makes room at the wallet that has the most', () => {
    const { recent } = recentOf()
    const hog = newUuid(2)
    const ofHog = (name: string): CacheKey => ({ walletId: hog, digest: Buffer.from(name) })
    const half = answerOf(16_777_216 - 2_048)
    recent.keep({ key: ofHog('one'), ageMs: 0, leftMs: 60_000 }, half, 1_000_000)
    recent.keep({ key: ofHog('two'), ageMs: 0, leftMs: 60_000 }, half, 1_000_000)
    expect([recent.find(key, 3_600_000), recent.find(ofHog('one'), 3_600_000)]).toEqual([answer, null])
    recent.keep({ key: another('two'), ageMs: 0, leftMs: 60_000 }, half, 1_000_000)
    // The other wallet has more now, and its oldest answer goes first.
    expect(recent.find(ofHog('two'), 3_600_000)).toBe(half)
    expect([recent.find(key, 3_600_000), recent.find(another('two'), 3_600_000)]).toEqual([null, half])
    recent.drop(ofHog('two'))
    recent.drop(another('two'))
    expect(recent.byteCount).toBe(0)
  })
})
