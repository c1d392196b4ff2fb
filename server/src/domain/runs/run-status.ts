import { type NanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'

export const runStatuses = ['running', 'spent', 'stopped'] as const

/** A run is `spent` only while its budget is used up: a request that settles below its hold returns the rest. */
export function runStatus({
  budget,
  spent,
  held,
  isStopped,
}: {
  readonly budget: NanoUsd | null
  readonly spent: NanoUsd
  readonly held: NanoUsd | null
  readonly isStopped: boolean
}): (typeof runStatuses)[number] {
  if (isStopped) return 'stopped'
  return budget !== null && spent + (held ?? zeroUsd) >= budget ? 'spent' : 'running'
}
