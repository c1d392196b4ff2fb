import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import type { UsageSums } from '#ports/usage.ts'

/** What every line of every report says. */
export interface ReportSums {
  readonly spend: NanoUsd
  readonly requests: number
  /** Of prompts and completions together. */
  readonly tokens: number
}

export function addSums(rows: readonly UsageSums[]): ReportSums {
  return {
    spend: nanoUsd(rows.reduce((sum, { spent }) => sum + spent, 0n)),
    requests: rows.reduce((sum, { requests }) => sum + requests, 0),
    tokens: rows.reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0),
  }
}

/** The dearest first; equals stay in the order they were in. */
export function bySpend(one: { readonly spend: NanoUsd }, other: { readonly spend: NanoUsd }): number {
  return one.spend === other.spend ? 0 : one.spend > other.spend ? -1 : 1
}
