import { describe, expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import type { DialectCall } from '#dialects/dialect.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { asGatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { wantedModel } from '#test/streams/test-ticket.ts'
import { fitContextOf } from './fit-context.ts'

function modelOf(contextLength: number | null): Model {
  const [model] = wantedModel.models
  assert(model !== undefined, 'there is a model')
  return { ...model, id: 'acme/model', contextLength }
}

const messageOf = (words: number) => ({ role: 'user', content: 'word '.repeat(words) })

/** Nine messages of `words` words each, with this token estimate in total. */
function callOf(tokens: number, body: JsonObject = {}, words = 20): DialectCall {
  const messages = Array.from({ length: 9 }, () => messageOf(words))
  const call = chatDialect.parse({ model: 'acme/model', messages, ...body })
  return { ...call, promptTokensEstimate: tokens }
}

const fit = (call: DialectCall, contextLength: number | null) => fitContextOf(call, chatDialect)(modelOf(contextLength))

function refusalOf(call: DialectCall, contextLength: number) {
  try {
    fit(call, contextLength)
  } catch (error) {
    return asGatewayError(error)
  }
  return expect.fail('the prompt was taken')
}

describe('a prompt without trimming', () => {
  it('passes where nobody knows how much the model takes', () => {
    expect(fit(callOf(1_000_000, { transforms: [] }), null)).toBeNull()
  })

  it('passes where the estimate is above the context by less than it may be wrong', () => {
    expect(fit(callOf(11_400, { transforms: [] }), 10_000)).toBeNull()
  })

  it('is refused with 400 where it is surely too long', () => {
    const error = refusalOf(callOf(20_001, { transforms: [] }), 10_000)
    expect(error.row.status).toBe(400)
    expect(error).toMatchObject({
      errorName: 'contextTooLong',
      message: 'The prompt has about 20001 tokens, but the context length of "acme/model" is 10000.',
    })
  })

  it('is the default above 8,192 tokens of context, and its refusal tells of the remedy', () => {
    expect(refusalOf(callOf(20_001), 8_193).message).toBe(
      'The prompt has about 20001 tokens, but the context length of "acme/model" is 8193. Shorten it, or set `"transforms": ["middle-out"]` to drop messages from the middle.',
    )
  })
})

describe('a prompt with trimming', () => {
  it('stays whole where it fits', () => {
    expect(fit(callOf(100), 100)).toBeNull()
    expect(fit(callOf(101), 100)).not.toBeNull()
  })

  it('leaves its output the room that was asked for', () => {
    expect(fit(callOf(60, { max_tokens: 40 }), 100)).toBeNull()
    expect(fit(callOf(61, { max_tokens: 40 }), 100)).not.toBeNull()
  })

  it('loses messages from its middle, by default up to 8,192 tokens of context', () => {
    const trim = fit(callOf(30_000, {}, 1_000), 8_192)
    expect(trim?.keeps.at(0)).toBe(true)
    expect(trim?.keeps.at(-1)).toBe(true)
    expect(trim?.keeps).toContain(false)
    expect(trim?.promptTokensEstimate).toBeLessThanOrEqual(8_192)
  })

  it('loses messages on any model where the client says so', () => {
    expect(fit(callOf(60_000, { transforms: ['middle-out'] }, 2_000), 16_000)?.keeps).toContain(false)
  })

  it('is refused where its ends alone are surely too long', () => {
    const ends = chatDialect.parse({ model: 'acme/model', messages: [messageOf(400), messageOf(400)] })
    expect(refusalOf({ ...ends, promptTokensEstimate: 1_000 }, 100).message).toBe(
      'The prompt has about 1000 tokens, but the context length of "acme/model" is 100. Even its first and last messages alone do not fit.',
    )
  })

  it('passes as it is where its ends may still fit', () => {
    const ends = chatDialect.parse({ model: 'acme/model', messages: [messageOf(400), messageOf(400)] })
    expect(fit({ ...ends, promptTokensEstimate: 110 }, 100)).toBeNull()
  })

  it('is the same for models with as much room', () => {
    const fitContext = fitContextOf(callOf(200), chatDialect)
    const trim = fitContext(modelOf(150))
    expect(trim).not.toBeNull()
    expect(fitContext(modelOf(150))).toBe(trim)
    expect(fitContext(modelOf(140))).not.toBe(trim)
  })

  it('is measured for four sizes at the most; models of further sizes get it as it is', () => {
    const fitContext = fitContextOf(callOf(160), chatDialect)
    const sizes = [150, 151, 152, 153]
    const trims = sizes.map((size) => fitContext(modelOf(size)))
    expect(trims).not.toContain(null)
    expect(fitContext(modelOf(154))).toBeNull()
    expect(sizes.map((size) => fitContext(modelOf(size)))).toEqual(trims)
  })
})
