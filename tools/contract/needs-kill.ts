import type { Clause } from './clauses.ts'

/** Clauses of money, limits and access, payments among them, by how their ids begin. */
const prefixes = new Set(['MONEY', 'HOLD', 'USAGE', 'LIMIT', 'FREE', 'BREAKER', 'BUDGET', 'AUTH', 'KEY', 'ALLOW'])

/**
 * A test that cites such a clause must have noticed a mutant: one that passes whatever the code does proves nothing.
 */
export function needsKill({ id }: Pick<Clause, 'id'>): boolean {
  return prefixes.has(id.split('-')[0] ?? '')
}
