import { describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import type { KeptItem, KeptItems } from '#ports/kept-items.ts'
import { testPayer, testTicket } from '#test/streams/test-ticket.ts'
import { createOutputKeeper } from './keep-output.ts'

function keeperOver(write: () => Promise<void> = async () => {}) {
  const kept: { walletId: string; items: readonly KeptItem[]; nowMs: number }[] = []
  const errors: unknown[] = []
  const items: KeptItems = {
    find: () => expect.unreachable(),
    keep: (walletId, those, nowMs) => {
      kept.push({ walletId, items: those, nowMs })
      return write()
    },
  }
  const keeper = createOutputKeeper({ items, nowMs: () => 7, onError: (error) => errors.push(error) })
  return { keeper, kept, errors, keep: (output: JsonObject[]) => keeper.keep(testTicket(), output) }
}

/** An item whose JSON has this number of bytes. */
function itemOf(bytes: number): JsonObject {
  const empty = { id: 'a', text: '' }
  return { ...empty, text: 'x'.repeat(bytes - JSON.stringify(empty).length) }
}

describe('output items', () => {
  it('[V3] are kept for the wallet that paid for them', () => {
    const { keep, kept } = keeperOver()
    const items = [
      { id: 'rs_1', type: 'reasoning' },
      { id: 'msg_1', type: 'message', text: '東' },
    ]
    keep(items)
    const written = items.map((item) => ({ id: item.id, json: JSON.stringify(item) }))
    expect(kept).toEqual([{ walletId: testPayer, items: written, nowMs: 7 }])
  })

  it.each<[string, JsonObject, boolean]>([
    ['has no id', { type: 'message' }, false],
    ['has an empty id', { id: '', type: 'message' }, false],
    ['has a megabyte', itemOf(1_048_576), true],
    ['has more', itemOf(1_048_577), false],
    ['is nested as deep as a request', { id: 'a', deep: JSON.parse('['.repeat(61) + ']'.repeat(61)) }, true],
    ['is nested deeper', { id: 'a', deep: JSON.parse('['.repeat(62) + ']'.repeat(62)) }, false],
  ])('[V3] that %s: kept %4$s', (_about, item, isKept) => {
    const { keep, kept } = keeperOver()
    keep([item])
    expect(kept).toHaveLength(isKept ? 1 : 0)
  })

  it('[V3] are not kept while too many wait to be written, and again afterwards', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { keeper, keep, kept, errors } = keeperOver(() => promise)
    for (let count = 0; count < 33; count += 1) keep([itemOf(1_048_576)])
    expect([kept.length, errors.length]).toEqual([32, 1])
    resolve()
    await keeper.close()
    keep([itemOf(1_048_576)])
    expect([kept.length, errors.length]).toEqual([33, 1])
  })

  it('[V3] that cannot be written are reported', async () => {
    const fault = new Error('Redis is away')
    const { keeper, keep, errors } = keeperOver(() => Promise.reject(fault))
    keep([itemOf(50)])
    await keeper.close()
    expect(errors).toEqual([fault])
  })
})
