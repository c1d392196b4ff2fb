import type { StorageAccess } from '#dialects/dialect.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import type { Arrival, Ticket } from './types.ts'

/** The input of a response as it is stored: what the content filters left of it. */
export function storedInput(access: StorageAccess, { arrival, plan }: Ticket): string {
  return JSON.stringify(access.inputItems(plan.call.body, { id: publicGenerationId(arrival.generationId) }))
}

/** Undefined for a dialect without stored responses. */
export function storageAccess({ dialect }: Pick<Arrival, 'dialect'>): StorageAccess | undefined {
  return dialect.family === 'conversation' ? dialect.storage : undefined
}
