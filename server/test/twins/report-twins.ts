import { findVendor, vendors, type VendorSlug } from '#providers/registry.ts'
import type { RunTwin } from './run-twin.ts'
import { capabilities, type Capability } from './twin.ts'

/** A failed twin: a side failed, a difference has no reason, or a reason no difference. */
export function hasFailed({ failure, unexplained, idle }: RunTwin): boolean {
  return failure !== null || unexplained.length > 0 || idle.length > 0
}

/** The lines about one failed twin. */
export function failureLines(run: RunTwin): string[] {
  const { provider, capability, sdk, call } = run.twin
  return [
    `FAILED  ${provider} ${capability}: ${call} of ${sdk}`,
    ...(run.failure === null ? [] : [`  ${run.failure.replaceAll('\n', '\n  ')}`]),
    ...run.unexplained.map(({ field, sdk: theirs = '–', ours = '–' }) => `  ${field}: SDK ${theirs} | ours ${ours}`),
    ...run.idle.map((field) => `  ${field}: is explained and does not differ`),
  ]
}

/** Provider × capability, for the capabilities of each provider. */
export function twinTable(runs: readonly RunTwin[]): string[] {
  const rows = Object.keys(vendors).flatMap((slug) => (isVendor(slug) ? [rowOf(slug, runs)] : []))
  const heading = ['provider', ...capabilities]
  const widths = heading.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  return [heading, ...rows].map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
}

function isVendor(slug: string): slug is VendorSlug {
  return slug in vendors
}

function rowOf(slug: VendorSlug, runs: readonly RunTwin[]): string[] {
  return [slug, ...capabilities.map((capability) => (has(slug, capability) ? verdictOf(slug, capability, runs) : '·'))]
}

function verdictOf(slug: VendorSlug, capability: Capability, runs: readonly RunTwin[]): string {
  const own = runs.filter(({ twin }) => twin.provider === slug && twin.capability === capability)
  if (own.length === 0) return runs.some(({ twin }) => twin.provider === slug) ? 'no twin' : 'no SDK'
  if (own.some(hasFailed)) return 'FAILED'
  return own.some(({ explained }) => explained.length > 0) ? 'differs' : 'same'
}

/** Whether the registry offers the capability. */
export function has(slug: VendorSlug, capability: Capability): boolean {
  const { protocol, media, onResponses } = { media: undefined, onResponses: undefined, ...vendors[slug] }
  switch (capability) {
    case 'chat':
    case 'stream':
    case 'tools':
    case 'errors':
      return protocol !== 'none'
    case 'responses':
      return onResponses !== undefined
    case 'embeddings':
      return media !== undefined && 'embedding' in media
    case 'rerank':
      return media !== undefined && 'rerank' in media
    case 'moderations':
      return media !== undefined && 'moderation' in media
    case 'images':
      return media !== undefined && 'image' in media
    case 'edits': {
      const images = findVendor(slug)?.media?.image
      return images !== undefined && images.takesInputs !== false
    }
    case 'speech':
      return media !== undefined && 'speech' in media
    case 'transcription':
      return media !== undefined && 'transcription' in media
    case 'videos':
      return media !== undefined && 'video' in media
  }
}
