import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { hostOf } from '#providers/host-of.ts'
import { findAnyVendor } from '#providers/own-key-vendor.ts'
import type { VendorSpec } from '#providers/spec.ts'

export function vendorOf(candidate: Candidate): VendorSpec {
  const vendor = findAnyVendor(candidate.account.vendor)
  assert(vendor !== undefined, `the vendor ${candidate.account.vendor} of a provider account is registered`)
  return hostOf(vendor, candidate)
}

/** Whether this process simulates the upstream itself. */
export function isPlayed({ account }: Candidate): boolean {
  return account.vendor === 'test'
}
