import type { ExactNumber } from '../../lib/money.ts'

/** Formats a token count: `128K`, `1M`, `1.05M`. */
export function formatTokens(count: ExactNumber | null): string {
  if (count === null) return '–'
  const tokens = Number(count)
  if (tokens >= 1_000_000) return `${trim(tokens / 1_000_000)}M`
  return tokens >= 1_000 ? `${Math.round(tokens / 1_000)}K` : String(tokens)
}

function trim(millions: number): string {
  return millions.toFixed(2).replace(/\.?0+$/, '')
}
