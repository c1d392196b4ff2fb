import { describe, expect, it } from 'vitest'
import { scoreRequest } from '#domain/routing/auto/score-request.ts'
import { cpuGrowth } from '#test/setup/cpu-growth.ts'
import { contractTiers } from './contract-tiers.ts'
import { readCorpus, requestFor, type Sample } from './read-corpus.ts'

const { tuning, heldOut } = readCorpus()
const whole = [...tuning, ...heldOut]

function accuracyOf(samples: readonly Sample[]): number {
  return samples.filter(({ tier, request }) => scoreRequest(request).tier === tier).length / samples.length
}

describe('the corpus', () => {
  it('[AUTO-04] has at least 30 prompts for each of the fourteen tiers, in English and four other languages', () => {
    for (const tier of contractTiers) {
      const samples = whole.filter((sample) => sample.tier === tier)
      expect(samples.length, tier).toBeGreaterThanOrEqual(30)
      const languages = new Set(samples.map(({ language }) => language))
      expect(languages.has('en'), tier).toBe(true)
      expect(languages.size, tier).toBeGreaterThanOrEqual(5)
    }
    expect(new Set(whole.map(({ request }) => request.text)).size).toBe(whole.length)
  })

  it('holds out a third of each tier', () => {
    for (const tier of contractTiers) {
      const held = heldOut.filter((sample) => sample.tier === tier).length
      expect(held).toBe(Math.floor(whole.filter((sample) => sample.tier === tier).length / 3))
    }
  })
})

describe('the scorer', () => {
  it('[AUTO-04] agrees with 85 % of what it has never seen', () => {
    expect(accuracyOf(heldOut)).toBeGreaterThanOrEqual(0.85)
  })

  it('gives a tier, a confidence and the next likely tier for whatever it is given', () => {
    for (const text of ['', ' ', '\u0000', '😀', 'x'.repeat(1_000_000), 'Объясни, почему небо голубое', '\ud800']) {
      const { tier, confidence, runnerUp, runnerUpConfidence } = scoreRequest(requestFor(text))
      expect(contractTiers).toContain(tier)
      expect(contractTiers).toContain(runnerUp)
      expect(tier).not.toBe(runnerUp)
      expect(confidence).toBeGreaterThanOrEqual(runnerUpConfidence)
      expect(confidence).toBeLessThanOrEqual(1)
    }
  })

  it('takes long prompts of which it knows no word for standard work', () => {
    expect(scoreRequest(requestFor('zork bamble '.repeat(30))).tier).toBe('standard')
  })

  it('goes by what is shown and by what is asked for, not only by words', () => {
    expect(scoreRequest(requestFor('Prove it', ['image'])).tier).toBe('vision')
    expect(scoreRequest(requestFor('And this?', ['video'])).tier).toBe('video')
    expect(scoreRequest({ ...requestFor('Hello'), wantsImage: true })).toMatchObject({ tier: 'image', confidence: 1 })
  })

  it('listens to the system prompt', () => {
    const vague = requestFor('Please look into the failing one and tell me what you think')
    const told = { ...vague, systemText: 'You are a programming agent. Read code, run unit tests and fix bugs.' }
    expect(scoreRequest(told).tier).toBe('coding')
  })

  it('takes about as long for a megabyte as for a page', () => {
    const growth = cpuGrowth({
      inputOf: (size) => requestFor('prove the theorem '.repeat(size)),
      // Twenty calls, because a single one is too short to measure.
      run: (request) => Array.from({ length: 20 }, () => scoreRequest(request)),
      small: 300,
      large: 60_000,
      // Scanning the whole text would take two hundred times as long.
      factorMax: 10,
    })
    expect(growth).toMatchObject({ isWithin: true })
  })
})
