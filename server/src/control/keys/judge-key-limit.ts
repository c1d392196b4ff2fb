import { formatUsd, type NanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { malformed } from '#errors/malformed.ts'

// A larger one is as good as none, and far larger ones do not fit a bigint.
const limitMax = parseUsd('1000000000')

/** Refuses a spend limit that no key can have. Zero is a limit: such a key spends nothing. */
export function judgeKeyLimit(limit: NanoUsd | null): void {
  if (limit === null || (limit >= 0n && limit <= limitMax)) return
  throw malformed(
    `The spend limit must be from 0 to ${formatUsd(limitMax)} USD: it can not be negative, and null means none.`,
  )
}
