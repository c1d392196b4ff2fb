import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Finds one of the organization's own. What belongs to another organization is reported as not found. */
export function readOwn<Entry extends { readonly id: Uuid }>(entries: readonly Entry[], id: Uuid, noun: string): Entry {
  const entry = entries.find((each) => each.id === id)
  if (entry === undefined) throw new GatewayError('notFound', { message: `${noun} not found.` })
  return entry
}
