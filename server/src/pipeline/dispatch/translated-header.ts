import type { Dialect } from '#dialects/dialect.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { pairOf } from './answer/pair.ts'
import { vendorOf } from './attempt/vendor-of.ts'

/** `X-Weir-Translated`, where the upstream has another kind of API than the client; null anywhere else. */
export function translatedHeader(dialect: Dialect, candidate: Candidate): Readonly<Record<string, string>> | null {
  if (dialect.name !== 'completions' && dialect.name !== 'fim') return null
  const { translated } = pairOf(dialect, vendorOf(candidate), candidate.upstreamModel)
  return translated === undefined ? null : { 'x-weir-translated': translated }
}
