import type { SignedInPerson } from './client.ts'

/** How long after signing in a person may perform sensitive actions on an account or an organization. */
export const freshForMs = 600_000

/** How long after signing in an operator may read; changes need a fresh session. */
export const operatesForMs = 8 * 3_600_000

export function isFreshSession({ signedInAtMs }: Pick<SignedInPerson, 'signedInAtMs'>, nowMs: number): boolean {
  return nowMs - signedInAtMs <= freshForMs
}
