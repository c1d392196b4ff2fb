import { canCharge } from '#domain/catalogue/can-charge.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { holdFor } from '#pipeline/hold-for.ts'
import type { ChosenProbe } from './choose-probes.ts'
import { probes } from './probes.ts'

/**
 * The maximum cost of a probe, which a gateway would hold for its requests. Null if the catalogue has no price for it.
 */
export function mostOf({ capability, candidate }: ChosenProbe): NanoUsd | null {
  const { kind, calls } = probes[capability]
  if (!canCharge(candidate.model, candidate.price, kind)) return null
  try {
    const holds = calls(candidate).map((call) => holdFor([candidate], call, call.maxTokens ?? 0))
    return nanoUsd(holds.reduce((sum, hold) => sum + hold, 0n))
  } catch (error) {
    // The probe sends no request that the model can't serve.
    if (error instanceof GatewayError) return nanoUsd(0n)
    throw error
  }
}
