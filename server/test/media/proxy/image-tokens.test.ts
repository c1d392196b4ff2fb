import { describe, expect, it } from 'vitest'
import { createImageTokens, imageBlobs, imageKeyAt } from '#control/media/image-tokens.ts'
import { newUuid } from '#lib/uuid.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { bitFlipsOf } from './bit-flips.ts'

const nowMs = Date.parse('2026-11-15T08:30:00Z')
const tokens = createImageTokens({ secret: testSecret, previousSecrets: [] })

function fresh(madeAtMs = nowMs) {
  const key = imageKeyAt(madeAtMs, newUuid(madeAtMs))
  return { key, type: 'image/webp', expiresAtMs: madeAtMs + 3_600_000 } as const
}

describe('tokens of images', () => {
  it('[IMG-17] stand for one image until its hour is over, to the millisecond', () => {
    const image = fresh()
    const token = tokens.issue(image)
    expect(token).toMatch(/^[A-Za-z0-9_-]{80}$/)
    expect(image.key).toMatch(/^images\/2026-11-15-08\/[0-9a-f-]{36}$/)
    expect(tokens.read(token, nowMs)).toEqual(image)
    expect(tokens.read(token, nowMs + 3_599_999)).toEqual(image)
    expect(tokens.read(token, nowMs + 3_600_000)).toBeNull()
  })

  it('[IMG-17] fail with any bit of their text flipped, and with any other text of the same bytes', () => {
    const token = tokens.issue(fresh())
    const flipped = bitFlipsOf(token)
    expect(flipped.length).toBe(80 * 8)
    expect(flipped.filter((text) => tokens.read(text, nowMs) !== null)).toEqual([])
    const standard = Buffer.from(token, 'base64url').toString('base64')
    const others = [`${token}=`, `${token}==`, ` ${token}`, `${token}\n`, `${token}A`, token.slice(0, -1), '']
    if (standard !== token) others.push(standard)
    expect(others.filter((text) => tokens.read(text, nowMs) !== null)).toEqual([])
  })

  it('[IMG-17] fail when parts of two are put together', () => {
    const [a, b] = [tokens.issue(fresh()), tokens.issue(fresh())]
    const [bytesA, bytesB] = [Buffer.from(a, 'base64url'), Buffer.from(b, 'base64url')]
    for (let cut = 1; cut < bytesA.length; cut += 1) {
      const mixed = Buffer.concat([bytesA.subarray(0, cut), bytesB.subarray(cut)]).toString('base64url')
      if (mixed !== a && mixed !== b) expect(tokens.read(mixed, nowMs)).toBeNull()
    }
    // The image of one token with the expiry of another.
    const later = Buffer.from(tokens.issue(fresh(nowMs + 1_800_000)), 'base64url')
    later.copy(bytesA, 22, 22, 28)
    expect(tokens.read(bytesA.toString('base64url'), nowMs)).toBeNull()
  })

  it('[IMG-17] of another deployment fail, and those of a secret that is being replaced hold', () => {
    const other = createImageTokens({ secret: 'Zz9vQp8sXw2nLk7tRy5uBz9cHd4fGa6e', previousSecrets: [] })
    const image = fresh()
    expect(tokens.read(other.issue(image), nowMs)).toBeNull()
    const rotated = createImageTokens({
      secret: 'Zz9vQp8sXw2nLk7tRy5uBz9cHd4fGa6e',
      previousSecrets: ['Aa9vQp8sXw2nLk7tRy5uBz9cHd4fGa6e', testSecret],
    })
    expect(rotated.read(tokens.issue(image), nowMs)).toEqual(image)
    expect(tokens.read(rotated.issue(image), nowMs)).toBeNull()
  })

  it('tells the hour of a key, and of nothing else', () => {
    expect(imageBlobs.hourMsOf(fresh().key)).toBe(Date.parse('2026-11-15T08:00:00Z'))
    expect(imageBlobs.hourMsOf('images/2026-11-15-08/x')).toBeNull()
    expect(imageBlobs.hourMsOf('videos/2026-11-15-08/00000000-0000-7000-8000-000000000000')).toBeNull()
  })
})
