import { nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { UsageRow, UsageSubjects, UsageSums } from '#ports/usage.ts'

/** The sums of one name. */
export interface NamedSums<Name> {
  readonly name: Name
  readonly sums: UsageSums
}

const noSums: UsageSums = {
  requests: 0,
  failed: 0,
  spent: zeroUsd,
  saved: zeroUsd,
  promptTokens: 0,
  completionTokens: 0,
}

export function addUp(all: readonly UsageSums[]): UsageSums {
  return all.reduce(plus, noSums)
}

/** Sums rows by a common name, in order of descending spend. */
export function addUpBy<Name extends string | null>(
  rows: readonly UsageRow[],
  nameOf: (row: UsageRow) => Name | undefined,
): NamedSums<Name>[] {
  const named = new Map<Name, UsageSums>()
  for (const row of rows) {
    const name = nameOf(row)
    assert(name !== undefined, 'a dimension that was asked for is present')
    named.set(name, plus(named.get(name) ?? noSums, row))
  }
  return [...named].map(([name, sums]) => ({ name, sums })).sort(dearestFirst)
}

/**
 * Limits the list to `max` entries. The entries with the least spend are merged into one, so that the total stays
 * complete.
 */
export function mergeRest<Name>(all: readonly NamedSums<Name>[], max: number, restName: Name): NamedSums<Name>[] {
  if (all.length <= max) return [...all]
  const rest = addUp(all.slice(max - 1).map(({ sums }) => sums))
  return [...all.slice(0, max - 1), { name: restName, sums: rest }]
}

function plus(one: UsageSums, other: UsageSums): UsageSums {
  return {
    requests: one.requests + other.requests,
    failed: one.failed + other.failed,
    spent: nanoUsd(one.spent + other.spent),
    saved: nanoUsd(one.saved + other.saved),
    promptTokens: one.promptTokens + other.promptTokens,
    completionTokens: one.completionTokens + other.completionTokens,
  }
}

// Entries with equal spend are ordered by requests, then by name, so that responses are deterministic.
function dearestFirst(one: NamedSums<string | null>, other: NamedSums<string | null>): number {
  if (one.sums.spent !== other.sums.spent) return one.sums.spent > other.sums.spent ? -1 : 1
  if (one.sums.requests !== other.sums.requests) return other.sums.requests - one.sums.requests
  return (one.name ?? '') < (other.name ?? '') ? -1 : 1
}

export type KeySums = NamedSums<Uuid> & WithKeyName

interface WithKeyName {
  readonly keyName: string
}

/** Adds the names of keys. Deleted keys keep their usage and names; a key that is no longer stored has no name. */
export async function nameKeys<Key extends NamedSums<Uuid>>(
  subjects: UsageSubjects,
  walletId: Uuid,
  keys: readonly Key[],
): Promise<(Key & WithKeyName)[]> {
  if (keys.length === 0) return []
  const names = await subjects.readKeyNames({ walletId, keyIds: keys.map(({ name }) => name) })
  return keys.map((key) => ({ ...key, keyName: names.get(key.name) ?? 'deleted key' }))
}
