import { responseOwner } from '#domain/responses/response-owner.ts'
import type { StorageAccess } from '#dialects/dialect.ts'
import type { JsonObject } from '#lib/json.ts'
import type { StoredResponses } from '#ports/stored-responses.ts'
import { storageAccess, storedInput } from '../../stored-input.ts'
import type { LastBytes, Ticket } from '../../types.ts'

/** Stores a response that its client will get now. It never fails: a response that cannot be stored is delivered. */
export type StoreResponse = (ticket: Ticket, lastBytes: LastBytes) => Promise<void>

export function createStoreResponse(deps: {
  readonly responses: Pick<StoredResponses, 'keep'>
  readonly onError: (error: unknown) => void
}): StoreResponse {
  return async (ticket, lastBytes) => {
    const access = storageOf(ticket)
    // Only a whole response has noted its output.
    if (access === null || ticket.output === undefined) return
    try {
      const response = endedResponse(access, ticket, lastBytes)
      if (response === null) return
      await deps.responses.keep({
        id: ticket.arrival.generationId,
        owner: responseOwner(ticket.principal),
        input: storedInput(access, ticket),
        response: JSON.stringify(response),
      })
    } catch (error) {
      deps.onError(error)
    }
  }
}

/** Null if the response must not be stored. */
function storageOf({ arrival }: Ticket): StorageAccess | null {
  const { storage } = arrival
  // A request in the background stores its response itself.
  if (storage?.isStored !== true || storage.isBackground) return null
  return storageAccess(arrival) ?? null
}

/** The response, with the items that a relayed stream may only have sent in earlier events. */
function endedResponse(access: StorageAccess, { output }: Ticket, lastBytes: LastBytes): JsonObject | null {
  const response = access.endedIn(String(lastBytes))
  return response === null || output === undefined ? response : { ...response, output: [...output] }
}
