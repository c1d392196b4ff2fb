import { describe, expect, it } from 'vitest'
import type { ModerationPart, ModerationTask } from '#domain/media/media-task.ts'
import type { JsonObject } from '#lib/json.ts'
import { emptyUsage } from '#test/setup/empty-usage.ts'
import { refusal } from '#test/setup/refusal.ts'
import { UnusableAnswerError } from '../faults.ts'
import { moderateWith } from './moderate-with.ts'

const target = {
  baseUrl: 'https://judge.example/v1',
  authentication: { kind: 'bearer' },
  credential: 'secret',
  upstreamModel: 'judge-1',
  model: 'maker/judge',
  details: {},
} as const

const text = (words: string): ModerationPart => ({ kind: 'text', text: words })
const image: ModerationPart = { kind: 'image', image: { kind: 'url', url: 'https://a.example/1.png' } }
const inline: ModerationPart = { kind: 'image', image: { kind: 'data', mediaType: 'image/png', base64: 'AAAA' } }
const calm = { flagged: false, categories: { hate: false }, category_scores: { hate: 0.1 } }

function play(inputs: ModerationTask['inputs'], answer: JsonObject, codec = moderateWith({ images: true })) {
  const script = codec.converse({ kind: 'moderation', inputs }, target)
  const first = script.next()
  if (first.done === true || first.value.kind !== 'send') throw new Error('no request')
  const { origin, path, body } = first.value.request
  const sent: JsonObject = JSON.parse(typeof body === 'string' ? body : body.join(''))
  const { done, value } = script.next({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) })
  if (done !== true) throw new Error('no result')
  return { url: `${origin}${path}`, sent, result: value }
}

describe('[NEXT-147] what a moderation upstream is asked', () => {
  it('is a list of strings, or of parts with an image', () => {
    expect(play([[text('a')], [text('b')]], { results: [calm, calm] })).toMatchObject({
      url: 'https://judge.example/v1/moderations',
      sent: { model: 'judge-1', input: ['a', 'b'] },
    })
    expect(play([[text('a')]], { results: [calm] }).sent).toEqual({ model: 'judge-1', input: ['a'] })
    expect(play([[text('a'), image, inline]], { results: [calm] }).sent.input).toEqual([
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'https://a.example/1.png' } },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
    ])
    expect(play([[text('a'), text('b')]], { results: [calm] }).sent.input).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ])
  })

  it('is one string of all parts where the upstream reads no images', () => {
    expect(play([[text('a'), text('b')]], { results: [calm] }, moderateWith()).sent.input).toEqual(['a\nb'])
    expect(() => play([[text('a'), image]], { results: [calm] }, moderateWith())).toThrow(
      refusal('input_images_not_supported', 'only judge text'),
    )
  })
})

describe('[NEXT-147] what is read of a verdict', () => {
  it('are the categories and scores, and whether any category applies', () => {
    const types = { category_applied_input_types: { hate: ['text'] } }
    expect(play([[text('a')]], { results: [{ ...calm, flagged: true, ...types }] }).result.verdicts).toEqual([
      { isFlagged: true, categories: { hate: false }, scores: { hate: 0.1 }, inputTypes: { hate: ['text'] } },
    ])
    const unsaid = { categories: { pii: false, law: true }, category_scores: { pii: 0, law: 0.8 } }
    const flags = play([[text('a')], [text('b')]], {
      results: [unsaid, { ...unsaid, categories: { pii: false, law: null } }],
    }).result.verdicts.map(({ isFlagged, inputTypes }) => [isFlagged, inputTypes])
    expect(flags).toEqual([
      [true, null],
      [false, null],
    ])
  })

  it.each<[string, JsonObject]>([
    ['nothing', {}],
    ['too few results', { results: [] }],
    ['too many results', { results: [calm, calm] }],
    ['no categories', { results: [{ flagged: true, category_scores: {} }] }],
    ['no scores', { results: [{ flagged: true, categories: {} }] }],
  ])('is an error for %s', (_what, answer) => {
    expect(() => play([[text('a')]], answer)).toThrow(UnusableAnswerError)
  })

  it.each<[string, JsonObject, number]>([
    ['prompt tokens', { usage: { prompt_tokens: 9, total_tokens: 98 } }, 9],
    ['all tokens', { usage: { total_tokens: 98 } }, 98],
    ['no tokens', {}, 0],
  ])('[NEXT-146] is the usage in %s, and the characters', (_what, counts, uncachedInput) => {
    const { usage } = play([[text('ab'), text('\u{1F426}')]], { results: [calm], ...counts }).result
    expect(usage).toEqual({ ...emptyUsage, uncachedInput, media: { inputCharacters: 3 } })
  })

  it('[NEXT-146] counts images', () => {
    expect(play([[image, inline]], { results: [calm] }).result.usage?.media).toEqual({
      inputCharacters: 0,
      inputImages: 2,
    })
  })
})
