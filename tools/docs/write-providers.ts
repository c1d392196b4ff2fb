import { vendors, type VendorSlug } from '../../server/src/providers/registry.ts'
import { allTwins } from '../../server/test/twins/all-twins.ts'
import { has } from '../../server/test/twins/report-twins.ts'
import { capabilities, type Capability } from '../../server/test/twins/twin.ts'
import { markdownTable } from './markdown-table.ts'
import { type Verification, verificationOf } from './provider-verification.ts'

/** All capabilities of all providers, and how each was verified. */
export function writeProviders(): string {
  const rows = Object.keys(vendors).flatMap((slug) => (isVendor(slug) ? rowsOf(slug) : []))
  return `# Providers

Generated from the registry, \`server/test/twins\` and \`tools/docs/provider-evidence.ts\` by \`npm run docs\`; do not edit.

What a provider is listed with here can be asked for; how far that is proven stands beside it. No provider was called.
With your own key, \`weir provider check --live\` calls a provider: [what it sends and compares](operating.md#test-a-provider-account).

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
    .map((capability) => [`\`${slug}\``, capability, ...rowEnd(verificationOf(slug, capability))])
}

const conversation: ReadonlySet<Capability> = new Set(['stream', 'tools', 'errors'])

function rowEnd({ by, source, date, differences }: Verification): string[] {
  return [by, source, date, differences]
}
