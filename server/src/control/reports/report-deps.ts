import { type NanoUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Spenders } from '#ports/organizations.ts'
import type { UsageReads, UsageSubjects, UsageSums } from '#ports/usage.ts'

export interface ReportDeps {
  readonly usage: UsageReads
  readonly spenders: Spenders
  readonly subjects: Pick<UsageSubjects, 'readTags'>
}

/** The scope of a report: one organization in one calendar month. */
export interface ReportQuery {
  readonly organizationId: Uuid
  readonly month: DayRange
}

export async function readPayingWallet({ spenders }: ReportDeps, { organizationId }: ReportQuery): Promise<Uuid> {
  const walletId = await spenders.findWallet(organizationId)
  if (walletId === null) throw new GatewayError('notFound', { message: 'Organization not found.' })
  return walletId
}

/** The figures of every report line. */
export interface ReportSums {
  readonly spend: NanoUsd
  readonly requests: number
  /** Prompt and completion tokens together. */
  readonly tokens: number
}

export function addSums(rows: readonly UsageSums[]): ReportSums {
  return {
    spend: nanoUsd(rows.reduce((sum, { spent }) => sum + spent, 0n)),
    requests: rows.reduce((sum, { requests }) => sum + requests, 0),
    tokens: rows.reduce((sum, { promptTokens, completionTokens }) => sum + promptTokens + completionTokens, 0),
  }
}

/** Sorts by descending spend; equal entries keep their order. */
export function bySpend(one: { readonly spend: NanoUsd }, other: { readonly spend: NanoUsd }): number {
  return one.spend === other.spend ? 0 : one.spend > other.spend ? -1 : 1
}
