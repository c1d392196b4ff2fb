import { describe, expect, it } from 'vitest'
import type { ErrorName } from '#errors/catalogue.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { withoutPrompt } from './without-prompt.ts'

const prompt = 'My secret is that I collect old lighthouses.'

function ticketOf(body: JsonObject) {
  const ticket = testTicket()
  return { ...ticket, plan: { ...ticket.plan, call: { ...ticket.plan.call, body } } }
}

const saying = (content: string, more: JsonObject = {}) =>
  ticketOf({ model: 'acme/model-of-lighthouses', messages: [{ role: 'user', content }], ...more })

const refusal = (errorName: ErrorName, words: string) => new GatewayError(errorName, { message: words, inside: words })

describe('what is logged of a refusal', () => {
  it('quotes nothing of the prompt; the client reads what is said of its own text', async () => {
    const words = `can not read "${prompt}"`
    const { errorName, message, inside } = await withoutPrompt(refusal('malformedRequest', words), saying(prompt))
    expect({ errorName, message, inside }).toEqual({
      errorName: 'malformedRequest',
      message: words,
      inside: 'can not read "[redacted]"',
    })
  })

  it.each<[ErrorName, string]>([
    ['upstreamUnavailable', 'failed at "[redacted]"'],
    ['internal', 'failed at "[redacted]"'],
  ])('does not quote it in the message of a 5xx either: %s', async (errorName, expected) => {
    const { message } = await withoutPrompt(refusal(errorName, `failed at "${prompt}"`), saying(prompt))
    expect(message).toBe(expected)
  })

  it('is as it was where nothing is kept inside', async () => {
    const error = new GatewayError('upstreamUnavailable', { message: prompt })
    expect(await withoutPrompt(error, saying(prompt))).toBe(error)
  })

  it('quotes nothing of other fields of the body, but the names of models', async () => {
    const words = 'acme/model-of-lighthouses: "the schema of a lighthouse", other/model-of-lighthouses'
    const ticket = saying('Hello', {
      models: ['other/model-of-lighthouses'],
      response_format: { json_schema: { description: 'the schema of a lighthouse' } },
    })
    const { inside } = await withoutPrompt(refusal('malformedRequest', words), ticket)
    expect(inside).toBe('acme/model-of-lighthouses: "[redacted]", other/model-of-lighthouses')
  })

  it('quotes nothing of the end of a long prompt, nor of what lies across its slices', async () => {
    const lead = 'x '.repeat(32_750)
    const { inside } = await withoutPrompt(
      refusal('malformedRequest', `at "${prompt}" and "the very last of my words"`),
      saying(`${lead}${prompt}${' y'.repeat(70_000)} the very last of my words`),
    )
    expect(inside).toBe('at "[redacted]" and "[redacted]"')
  })

  it('lets others take their turn while a long prompt is looked through', async () => {
    let turns = 0
    const count = () => {
      turns += 1
      if (turns < 100) setImmediate(count)
    }
    setImmediate(count)
    await withoutPrompt(refusal('malformedRequest', 'no'), saying('z '.repeat(200_000)))
    expect(turns).toBeGreaterThanOrEqual(5)
    turns = 100
  })

  it('does so where it is thousands of short texts, too', async () => {
    let turns = 0
    const count = () => {
      turns += 1
      if (turns < 100) setImmediate(count)
    }
    setImmediate(count)
    const messages = Array.from({ length: 4_000 }, (_, index) => ({ role: 'user', content: `${index} `.repeat(20) }))
    await withoutPrompt(refusal('malformedRequest', 'no'), ticketOf({ messages }))
    expect(turns).toBeGreaterThanOrEqual(4)
    turns = 100
  })
})
