import { bodyLimits } from '#domain/inference/body-limits.ts'
import { type JsonObject, stringAt } from '#lib/json.ts'
import { isNestedDeeperThan } from '#lib/json-depth.ts'
import type { KeptItem, KeptItems } from '#ports/kept-items.ts'
import type { Ticket } from '../../types.ts'

/** Keeps the output items of delivered responses, for requests that refer to them. A response never waits for it. */
export interface OutputKeeper {
  keep(ticket: Ticket, output: readonly JsonObject[]): void
  /** Resolves once all pending writes are done. */
  close(): Promise<void>
}

const itemBytesMax = 1_048_576
/** While Redis is slow, further responses are not kept. */
const waitingBytesMax = 33_554_432

export function createOutputKeeper(deps: {
  items: KeptItems
  nowMs: () => number
  onError: (error: unknown) => void
}): OutputKeeper {
  const writes = new Set<Promise<void>>()
  let waitingBytes = 0
  return {
    keep: ({ principal }, output) => {
      const items = output.flatMap(keptItem)
      const bytes = items.reduce((sum, { json }) => sum + json.length, 0)
      if (items.length === 0) return
      if (waitingBytes + bytes > waitingBytesMax) {
        return deps.onError(new Error('too many output items are waiting to be written'))
      }
      waitingBytes += bytes
      const write = deps.items
        .keep(principal.walletId, items, deps.nowMs())
        .catch(deps.onError)
        .finally(() => {
          waitingBytes -= bytes
          writes.delete(write)
        })
      writes.add(write)
    },
    close: async () => {
      await Promise.all(writes)
    },
  }
}

/** Empty for an item that has no id, is too large, or is nested deeper than a request may be. */
function keptItem(item: JsonObject): KeptItem[] {
  const id = stringAt(item, 'id')
  if (id === undefined || id === '') return []
  const json = JSON.stringify(item)
  const bytes = Buffer.from(json)
  if (bytes.length > itemBytesMax || isNestedDeeperThan(bytes, itemDepthMax)) return []
  return [{ id, json }]
}

/** A request has two levels around its items. */
const itemDepthMax = bodyLimits.depthMax - 2
