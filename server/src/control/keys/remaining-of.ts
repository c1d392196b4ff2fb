import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'

/** The rest of a key's cap; without a cap, what the paying wallet has. */
export function remainingOf(key: { limit: NanoUsd | null; taken: NanoUsd; balance: NanoUsd }): NanoUsd {
  if (key.limit === null) return key.balance
  // A last charge above its hold may exceed the cap; there is then nothing left, not less than nothing.
  const rest = key.limit - key.taken
  return nanoUsd(rest > 0n ? rest : 0n)
}
