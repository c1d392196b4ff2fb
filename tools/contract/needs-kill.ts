import type { Clause } from './clauses.ts'

/** Id prefixes of the clauses of money, limits and access, including payments. */
const prefixes = new Set(['MONEY', 'HOLD', 'USAGE', 'LIMIT', 'FREE', 'BREAKER', 'BUDGET', 'AUTH', 'KEY', 'ALLOW'])

/**
 * A test that cites such a clause must have caught a mutant: a test that passes whatever the code does proves nothing.
 */
export function needsKill({ id }: Pick<Clause, 'id'>): boolean {
  return prefixes.has(id.split('-')[0] ?? '')
}
