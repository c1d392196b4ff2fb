import type { SignedInPerson } from './client.ts'

/** How long after signing in a person may do what could take an account or an organization over. */
export const freshForMs = 600_000

export function isFreshSession({ signedInAtMs }: Pick<SignedInPerson, 'signedInAtMs'>, nowMs: number): boolean {
  return nowMs - signedInAtMs <= freshForMs
}
