import { vendors, type VendorSlug } from '../../server/src/providers/registry.ts'
import { allTwins } from '../../server/test/twins/all-twins.ts'
import { has } from '../../server/test/twins/report-twins.ts'
import { sdkVersions, verifiedOn } from '../../server/test/twins/sdk-versions.ts'
import { capabilities, type Capability, type Twin } from '../../server/test/twins/twin.ts'
import { knownMismatches } from '../../server/test/twins/types/known-mismatches.ts'
import { typedCapabilities } from '../../server/test/twins/types/typed-capabilities.ts'
import { markdownTable } from './markdown-table.ts'
import { evidenceDate, providerEvidence } from './provider-evidence.ts'

/** Every capability of every provider, and how it is known that we speak it as the provider does. */
export function writeProviders(): string {
  const rows = Object.keys(vendors).flatMap((slug) => (isVendor(slug) ? rowsOf(slug) : []))
  return `# Providers

Generated from the registry, \`server/test/twins\` and \`tools/docs/provider-evidence.ts\` by \`npm run docs\`; do not edit.

What a provider is listed with here can be asked for; how far that is proven stands beside it. No provider was called.

| Verified by | What that means |
|---|---|
| SDK twin | the provider's official SDK and our codec sent the same to a simulator and read the same from it (\`npm run twins\`) |
| type twin | the bodies that our codec builds have the types of the official SDK, as the TypeScript compiler judges |
| specification | read against the provider's own documents or types |
| reports only | read against clients that others have written |
| unverified | nothing but our own simulators says that it is right |

A conversation has four capabilities: a document, a stream, tools and errors. Where there is no SDK, they are one row.

${markdownTable(['Provider', 'Capability', 'Verified by', 'Source', 'Date', 'Differences'], rows)}
`
}

function isVendor(slug: string): slug is VendorSlug {
  return slug in vendors
}

function rowsOf(slug: VendorSlug): string[][] {
  const isTwinned = allTwins.some(({ provider, capability }) => provider === slug && capability === 'chat')
  return capabilities
    .filter((capability) => has(slug, capability))
    .filter((capability) => capability === 'chat' || isTwinned || !conversation.has(capability))
    .map((capability) => [`\`${slug}\``, capability, ...verificationOf(slug, capability)])
}

const conversation: ReadonlySet<Capability> = new Set(['stream', 'tools', 'errors'])

function verificationOf(slug: VendorSlug, capability: Capability): string[] {
  const versions = sdkVersions()
  const named = (sdk: string): string => `${sdk} ${versions[sdk] ?? ''}`.trim()
  const twins = allTwins.filter((twin) => twin.provider === slug && twin.capability === capability)
  const typed = typedCapabilities[slug]?.[capability]
  if (twins.length > 0) {
    const sources = [...new Set(twins.map(({ sdk }) => sdk))].map(named).join(', ')
    return [
      typed === undefined ? 'SDK twin' : 'SDK twin, type twin',
      sources,
      verifiedOn(),
      differencesOf(slug, capability, twins),
    ]
  }
  if (typed !== undefined) return ['type twin', named(typed), verifiedOn(), differencesOf(slug, capability, [])]
  const evidence = providerEvidence.find(
    (each) => each.providers.includes(slug) && each.capabilities.includes(capability),
  )
  if (evidence === undefined) return ['unverified', '', '', '']
  return [evidence.kind, evidence.source, evidenceDate, '']
}

/** The reasons on record of both twins. */
function differencesOf(slug: VendorSlug, capability: Capability, twins: readonly Twin[]): string {
  const called = twins.flatMap(({ differences = {} }) => Object.values(differences))
  const typed = knownMismatches
    .filter((known) => known.capability === capability && known.providers.includes(slug))
    .map(({ reason }) => reason)
  return [...new Set([...called, ...typed])].join(' ')
}
