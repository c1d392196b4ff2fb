import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { hostOf } from '#providers/host-of.ts'
import { findAnyVendor } from '#providers/own-key-vendor.ts'
import { openAiHost } from '#providers/protocols/openai/openai-host.ts'
import type { VendorSpec } from '#providers/spec.ts'

/** Test models speak chat completions. */
const playedVendor: VendorSpec = openAiHost({
  slug: 'test',
  name: 'Test models',
  baseUrl: 'http://played.invalid',
  authentication: { kind: 'optional-bearer' },
  quirks: { streamUsage: 'always' },
})

export function vendorOf(candidate: Candidate): VendorSpec {
  if (isPlayed(candidate)) return playedVendor
  const vendor = findAnyVendor(candidate.account.vendor)
  assert(vendor !== undefined, `the vendor ${candidate.account.vendor} of a provider account is registered`)
  return hostOf(vendor, candidate)
}

/** Whether the process itself plays the upstream. */
export function isPlayed({ account }: Candidate): boolean {
  return account.vendor === 'test'
}
