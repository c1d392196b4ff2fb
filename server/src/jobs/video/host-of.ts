import type { RoutingTable } from '#domain/routing/routing-table.ts'
import { overridesFor } from '#domain/routing/trait-overrides.ts'
import type { JobCandidate } from '#ports/videos.ts'
import { testAccount } from '#domain/test-models/test-candidate.ts'
import { isLate } from '#providers/authentication.ts'
import { findAnyVendor } from '#providers/own-key-vendor.ts'
import { shownCredential } from '#providers/shown-credential.ts'
import type { JobHost } from './step-job.ts'

/** The current provider of a job's candidate; null if its account is gone or offers no videos. */
export function jobHostOf(
  { accounts }: Pick<RoutingTable, 'accounts'>,
  candidate: JobCandidate,
  model: string,
  nowMs: number,
): JobHost | null {
  const account = [...accounts, testAccount].find(({ id }) => id === candidate.accountId)
  const vendor = findAnyVendor(candidate.vendor)
  const codec = vendor?.media?.video
  const baseUrl = account?.baseUrl ?? vendor?.baseUrl ?? null
  if (account === undefined || vendor === undefined || codec === undefined || baseUrl === null) return null
  const { upstreamModel, details } = candidate
  const { authentication, mediaPath = '' } = vendor
  const credential = isLate(authentication) ? null : shownCredential(authentication, account.credential, nowMs)
  const forms = overridesFor(account.overrides, [upstreamModel, model])
  const place = { baseUrl: baseUrl + mediaPath, authentication, credential }
  const target = { ...place, upstreamModel, model, details, leaveOut: forms?.leaveOut, forms }
  return { name: account.name, codec, target, credential: account.credential }
}
