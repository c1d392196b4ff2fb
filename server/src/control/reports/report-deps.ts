import { GatewayError } from '#errors/gateway-error.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Spenders } from '#ports/organizations.ts'
import type { UsageReads } from '#ports/usage.ts'

export interface ReportDeps {
  readonly usage: UsageReads
  readonly spenders: Spenders
}

/** What each report is of: all that one organization has paid for in one calendar month. */
export interface ReportQuery {
  readonly organizationId: Uuid
  readonly month: DayRange
}

export async function readPayingWallet({ spenders }: ReportDeps, { organizationId }: ReportQuery): Promise<Uuid> {
  const walletId = await spenders.findWallet(organizationId)
  if (walletId === null) throw new GatewayError('notFound', { message: 'There is no such organization.' })
  return walletId
}
