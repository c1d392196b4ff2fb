import { describe, expect, it } from 'vitest'
import { responsesDialect } from '#dialects/responses/responses-dialect.ts'
import { asGatewayError } from '#errors/gateway-error.ts'
import type { JsonValue } from '#lib/json.ts'
import type { KeptItems } from '#ports/kept-items.ts'
import { makePrincipal } from '#test/identity/make-principal.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Arrival } from '../types.ts'
import { createRecall, refersToItems } from './recall-items.ts'

const principal = makePrincipal({})
const hello = { role: 'user', content: 'Hello' }
const thought = { type: 'reasoning', id: 'rs_1', summary: [] }
const said = { type: 'message', id: 'msg_1', role: 'assistant', content: 'Hi' }
const refer = (id: string) => ({ type: 'item_reference', id })

function arrivalOf(input: JsonValue, change: Partial<Arrival> = {}): Arrival {
  const body = { model: 'm', input }
  return { ...testTicket().arrival, dialect: responsesDialect, body, bodyBytes: 100, ...change }
}

function recallOver(find: KeptItems['find'], { keptMs = 3_600_000, bytesMax = 10_485_760 } = {}) {
  const items: KeptItems = { find, keep: () => expect.unreachable() }
  return createRecall({ items, keptMs, bytesMax, nowMs: () => 7 })
}

interface RefusalOptions {
  readonly keptMs?: number
  readonly bytesMax?: number
  readonly bodyBytes?: number
}

/** The response to a body that references items, when every id has this JSON. */
async function refusalOf(json: string | null, input: JsonValue, options: RefusalOptions = {}) {
  const { bodyBytes = 100 } = options
  const recall = recallOver(async (_wallet, ids) => ids.map(() => json), options)
  const error = await recall(arrivalOf(input, { bodyBytes }), principal).catch(asGatewayError)
  return 'row' in error ? [error.row.status, error.message] : error.body
}

const advice = 'Send the item itself. In the AI SDK, set `providerOptions: { openai: { store: false } }`.'

describe('a request that refers to items', () => {
  it('[V3] has them in the places of their references, read once for its own wallet', async () => {
    const asked: unknown[] = []
    const recall = recallOver(async (...question) => {
      asked.push(question)
      return [JSON.stringify(thought), JSON.stringify(said)]
    })
    const arrival = arrivalOf([hello, refer('rs_1'), refer('msg_1'), hello, refer('rs_1')])
    const recalled = await recall(arrival, principal)
    expect(recalled.body).toEqual({ model: 'm', input: [hello, thought, said, hello, thought] })
    expect({ ...recalled, body: arrival.body }).toEqual(arrival)
    expect(asked).toEqual([[principal.walletId, ['rs_1', 'msg_1'], { nowMs: 7, bytesMax: 10_485_760 }]])
  })

  it.each([
    [3_600_000, '1 hour'],
    [7_200_000, '2 hours'],
    [5_400_000, '90 minutes'],
    [60_000, '1 minute'],
    [45_000, '45 seconds'],
    [1_500, '1500 milliseconds'],
  ])('[V3] is told how long items are kept where one is gone (%d ms)', async (keptMs, words) => {
    expect(await refusalOf(null, [hello, refer('msg_2')], { keptMs })).toEqual([
      400,
      `input[1] refers to an item that is not kept. Items are kept for ${words} after the last request that used them. ${advice}`,
    ])
  })

  it('[V3] is asked to retry where the items cannot be read', async () => {
    const recall = recallOver(() => Promise.reject(new Error('Connection is closed.')))
    const error = await recall(arrivalOf([refer('msg_1')]), principal).catch(asGatewayError)
    expect(error).toMatchObject({
      errorName: 'storeUnavailable',
      retryAfterS: 1,
      inside: 'kept items: Connection is closed.',
    })
    expect(error).toHaveProperty(
      'message',
      `The items that the request refers to can't be read at the moment. Retry shortly. ${advice}`,
    )
  })

  const large = JSON.stringify({ type: 'message', id: 'a', content: 'x'.repeat(1_000_000) })
  it('[NEXT-160] has as much room as the operator gives conversations', async () => {
    const references = Array(19).fill(refer('a'))
    expect(await refusalOf(large, references, { bytesMax: 20_000_000 })).toMatchObject({ model: 'm' })
    expect(await refusalOf(large, [...references, refer('a')], { bytesMax: 20_000_000 })).toEqual([
      413,
      'The body with the items that it refers to is larger than 19 MB. Shorten the conversation.',
    ])
  })

  const tooLarge = [413, 'The body with the items that it refers to is larger than 10 MB. Shorten the conversation.']
  const tooMuch = [400, 'With the items that it refers to, the body exceeds the limits of a body.']
  it.each<[string, string, number, number, unknown]>([
    ['ten references to a megabyte', large, 10, 100, expect.objectContaining({ model: 'm' })],
    ['eleven references to a megabyte', large, 11, 100, tooLarge],
    ['a large body around them', large, 1, 9_900_000, tooLarge],
    [
      'levels inside of levels',
      `{"a":${'['.repeat(61)}${']'.repeat(61)}}`,
      1,
      100,
      expect.objectContaining({ model: 'm' }),
    ],
    ['too many levels', `{"a":${'['.repeat(62)}${']'.repeat(62)}}`, 1, 100, tooMuch],
    ['too many values', `{"a":[${'{},'.repeat(999)}{}]}`, 101, 100, tooMuch],
    ['a forbidden name', '{"__proto__":{}}', 1, 100, tooMuch],
    ['too many references', '{}', 10_001, 100, [400, '`input` has 10001 entries; send at most 10000 in one request.']],
  ])('[V3] counts against the limits of a body: %s', async (_about, json, count, bodyBytes, answered) => {
    expect(await refusalOf(json, Array(count).fill(refer('a')), { bodyBytes })).toEqual(answered)
  })

  it('[V3] is refused before more is read than a body may hold', async () => {
    const recall = recallOver(async () => null)
    const error = await recall(arrivalOf([refer('a')]), principal).catch(asGatewayError)
    expect(error).toMatchObject({ errorName: 'bodyTooLarge' })
  })
})

it('[V3] only a body of Responses refers to items', () => {
  expect(refersToItems(arrivalOf([hello, refer('a')]))).toBe(true)
  expect(refersToItems(arrivalOf([hello]))).toBe(false)
  expect(refersToItems(arrivalOf([refer('a')], { dialect: testTicket().arrival.dialect }))).toBe(false)
})
