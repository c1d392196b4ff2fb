import type { ItemReference, ReferenceAccess } from '#dialects/dialect.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/** Items of the type `item_reference`. An item without an id stays in the input, and the input check rejects it. */
export const itemReferences: ReferenceAccess = {
  find: ({ input }) => {
    if (!Array.isArray(input)) return none
    const found: ItemReference[] = []
    for (const [position, item] of input.entries()) {
      if (isReference(item)) found.push({ id: item.id, place: `input[${position}]` })
    }
    return found
  },
  replace: (body, items) => {
    if (!Array.isArray(body.input)) return body
    const following = items[Symbol.iterator]()
    return { ...body, input: body.input.map((item) => (isReference(item) ? (following.next().value ?? item) : item)) }
  },
}

const none: readonly ItemReference[] = []

function isReference(item: JsonValue): item is JsonObject & { id: string } {
  return isJsonObject(item) && item.type === 'item_reference' && typeof item.id === 'string' && item.id !== ''
}
