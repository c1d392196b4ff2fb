import { completionTokensOf, promptTokensOf } from '#domain/inference/usage.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { formatUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { SettledEvent } from './settled-event.ts'

/** A charged request of a customer, as systems that bill customers count it. */
export interface MeteredEvent {
  /** The same each time the event is sent, so that the metering system counts it once. */
  readonly id: string
  readonly customer: string
  /** When the charge was booked: a comparison sums the ledger by the same time. */
  readonly atMs: number
  readonly cost: NanoUsd
  readonly facts: MeteredFacts
}

/** Amounts are strings, because many readers parse numbers as floats. */
export interface MeteredFacts {
  readonly cost_nano_usd: string
  readonly cost_usd: string
  readonly prompt_tokens: number
  readonly completion_tokens: number
  readonly model: string
  readonly endpoint: string
  readonly tags: Readonly<Record<string, string>>
}

/** Selects the charged requests that name a customer, of one organization if it is given. */
export function meteredEvents(events: readonly SettledEvent[], organizationId: Uuid | null): MeteredEvent[] {
  return events.flatMap((event) => {
    const { customer, cost } = event
    if (customer === null || cost === 0n) return []
    if (organizationId !== null && event.organizationId !== organizationId) return []
    return [{ id: publicGenerationId(event.id), customer, atMs: event.settledAtMs, cost, facts: factsOf(event) }]
  })
}

function factsOf({ cost, usage, model, endpoint, tags }: SettledEvent): MeteredFacts {
  return {
    cost_nano_usd: String(cost),
    cost_usd: formatUsd(cost),
    prompt_tokens: promptTokensOf(usage),
    completion_tokens: completionTokensOf(usage),
    model,
    endpoint,
    tags: tags ?? {},
  }
}
