import { canCharge } from '#domain/catalogue/can-charge.ts'
import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { holdFor } from '#pipeline/hold-for.ts'
import type { ChosenProbe } from './choose-probes.ts'
import { probes } from './probes.ts'

/** The most that a probe may cost: what a gateway would reserve for its calls. Null where the catalogue has no price for it. */
export function mostOf({ capability, candidate }: ChosenProbe): NanoUsd | null {
  const { kind, calls } = probes[capability]
  if (!canCharge(candidate.model, candidate.price, kind)) return null
  try {
    const holds = calls(candidate).map((call) => holdFor([candidate], call, call.maxTokens ?? 0))
    return nanoUsd(holds.reduce((sum, hold) => sum + hold, 0n))
  } catch (error) {
    // What the model cannot make is not sent.
    if (error instanceof GatewayError) return nanoUsd(0n)
    throw error
  }
}
