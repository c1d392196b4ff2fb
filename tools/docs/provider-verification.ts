import type { VendorSlug } from '../../server/src/providers/registry.ts'
import { allTwins } from '../../server/test/twins/all-twins.ts'
import { sdkVersions, verifiedOn } from '../../server/test/twins/sdk-versions.ts'
import type { Capability, Twin } from '../../server/test/twins/twin.ts'
import { knownMismatches } from '../../server/test/twins/types/known-mismatches.ts'
import { typedCapabilities } from '../../server/test/twins/types/typed-capabilities.ts'
import { evidenceDate, providerEvidence } from './provider-evidence.ts'

/** How we know that our requests match the provider's API. */
export interface Verification {
  readonly by: string
  readonly source: string
  readonly date: string
  readonly differences: string
}

export function verificationOf(slug: VendorSlug, capability: Capability): Verification {
  const versions = sdkVersions()
  const named = (sdk: string): string => `${sdk} ${versions[sdk] ?? ''}`.trim()
  const twins = allTwins.filter((twin) => twin.provider === slug && twin.capability === capability)
  const typed = typedCapabilities[slug]?.[capability]
  const evidence = providerEvidence.find(
    (each) => each.providers.includes(slug) && each.capabilities.includes(capability),
  )
  if (twins.length > 0) {
    const sources = [...new Set(twins.map(({ sdk }) => sdk))].map(named)
    return {
      by: [
        'SDK twin',
        ...(typed === undefined ? [] : ['type twin']),
        ...(evidence === undefined ? [] : [evidence.kind]),
      ].join(', '),
      source: [...sources, ...(evidence === undefined ? [] : [evidence.source])].join(', '),
      date: verifiedOn(),
      differences: differencesOf(slug, capability, twins),
    }
  }
  if (typed !== undefined) {
    return {
      by: 'type twin',
      source: named(typed),
      date: verifiedOn(),
      differences: differencesOf(slug, capability, []),
    }
  }
  if (evidence === undefined) return { by: unverified, source: '', date: '', differences: '' }
  return { by: evidence.kind, source: evidence.source, date: evidenceDate, differences: '' }
}

/** Verified only by our own simulators. */
export const unverified = 'unverified'

/** The recorded reasons of both twins. */
function differencesOf(slug: VendorSlug, capability: Capability, twins: readonly Twin[]): string {
  const called = twins.flatMap(({ differences = {} }) => Object.values(differences))
  const typed = knownMismatches
    .filter((known) => known.capability === capability && known.providers.includes(slug))
    .map(({ reason }) => reason)
  return [...new Set([...called, ...typed])].join(' ')
}
