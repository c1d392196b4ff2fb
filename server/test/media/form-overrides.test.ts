import { describe, expect, it } from 'vitest'
import type { FormOverrides } from '#domain/routing/trait-overrides.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type Asked, codecOf, imageTask, targetOf } from '#test/twins/ours/ask-media.ts'
import { videoTask } from './videos/video-talk.ts'
import { firstRequest } from './first-request.ts'

const drawnWith = (asked: Asked, forms: FormOverrides) =>
  JSON.stringify(
    firstRequest(codecOf(asked, 'image').converse(imageTask({ aspectRatio: '16:9' }), { ...targetOf(asked), forms })),
  )

const filmedWith = (asked: Asked, forms: FormOverrides, durationS = 5) => {
  const task = videoTask({ durationS, aspectRatio: '16:9' })
  return JSON.stringify(firstRequest(codecOf(asked, 'video').submit(task, { ...targetOf(asked), forms }, 'vjob_1-1')))
}

describe('forms that an operator knows better than the tables', () => {
  it.each<Asked>([
    { provider: 'google-ai-studio', model: 'gemini-2.5-flash-image' },
    { provider: 'xai', model: 'grok-imagine-image' },
    { provider: 'fal', model: 'fal-ai/flux-pro/v1.1-ultra' },
    { provider: 'replicate', model: 'black-forest-labs/flux-schnell' },
    { provider: 'black-forest-labs', model: 'flux-pro-1.1-ultra' },
    { provider: 'fireworks', model: 'accounts/fireworks/models/flux-1-schnell-fp8' },
  ])('$provider draws in the ratio that it takes now', (asked) => {
    expect(drawnWith(asked, {})).toContain('16:9')
    const changed = drawnWith(asked, { aspectRatios: ['1:1', '17:10'] })
    expect(changed).toContain('17:10')
    expect(changed).not.toContain('16:9')
  })

  it('OpenAI draws in the size that it takes now', () => {
    const asked = { provider: 'openai', model: 'gpt-image-1' } as const
    expect(drawnWith(asked, { sizes: ['1024x1024', '1792x1000'] })).toContain('1792x1000')
  })

  it.each<[Asked, string]>([
    [{ provider: 'google-ai-studio', model: 'veo-3.1-generate-preview' }, '7'],
    [{ provider: 'luma', model: 'ray-2' }, '7s'],
    [{ provider: 'kling', model: 'kling-v2-master', credential: 'a:b' }, '7'],
    [{ provider: 'xai', model: 'grok-imagine-video' }, '7'],
    [{ provider: 'byteplus', model: 'seedance-1-0-pro-250528' }, '7'],
    [{ provider: 'minimax', model: 'MiniMax-Hailuo-02' }, '7'],
    [{ provider: 'openai', model: 'sora-2' }, '7'],
  ])('%o makes the next longer video that it makes now', (asked, seconds) => {
    expect(filmedWith(asked, { durations: [7] })).toMatch(
      new RegExp(`"(?:duration|durationSeconds|seconds)":"?${seconds}"?`),
    )
    expect(() => filmedWith(asked, { durations: [3] })).toThrow(GatewayError)
  })

  it.each<Asked>([
    { provider: 'fal', model: 'fal-ai/veo3' },
    { provider: 'runway', model: 'gen4.5' },
    { provider: 'replicate', model: 'google/veo-3' },
    { provider: 'openrouter', model: 'google/veo-3.1' },
  ])('$provider is not asked for a length that it does not make now', (asked) => {
    expect(filmedWith(asked, { durations: [5] }, 5)).toContain('5')
    expect(() => filmedWith(asked, { durations: [4, 8] }, 5)).toThrow('supports durations of 4, 8 seconds, not 5.')
  })

  it('a video has the ratio that its host takes now', () => {
    const asked = { provider: 'google-ai-studio', model: 'veo-3.1-generate-preview' } as const
    expect(filmedWith(asked, { aspectRatios: ['21:9'] }, 8)).toContain('21:9')
  })
})
