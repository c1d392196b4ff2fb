import { isDeepStrictEqual } from 'node:util'
import { GatewayError } from '#errors/gateway-error.ts'

/** A violated invariant. */
export class BrokenInvariant extends Error {
  readonly invariant: string

  constructor(invariant: string, detail = '') {
    super(invariant + detail)
    this.name = 'BrokenInvariant'
    this.invariant = invariant
  }
}

export function ensure(holds: boolean, invariant: string): asserts holds {
  if (!holds) throw new BrokenInvariant(invariant)
}

export function ensureSame(one: unknown, other: unknown, invariant: string): void {
  if (isDeepStrictEqual(one, other)) return
  throw new BrokenInvariant(invariant, `: ${show(one)} and ${show(other)}`)
}

/** Returns the result, or undefined if the work rejected its input with a documented error. */
export function unlessRefused<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof GatewayError && error.row.status < 500) return undefined
    throw error
  }
}

function show(value: unknown): string {
  const text =
    JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)) ?? 'undefined'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
