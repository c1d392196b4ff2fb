import { type OpenAiQuirks, openAiCounting, type VendorSpec } from '#providers/spec.ts'

/** A vendor that speaks chat completions, from its differences to OpenAI alone. */
export function openAiHost(host: OpenAiHost): VendorSpec {
  const { slug, name, baseUrl, quirks } = host
  return {
    slug,
    name,
    protocol: 'openai',
    baseUrl,
    chatPath: '/chat/completions',
    authentication: host.authentication ?? { kind: 'bearer' },
    openai: { streamUsage: 'ask', counting: openAiCounting, ...quirks },
  }
}

export interface OpenAiHost extends Pick<VendorSpec, 'slug' | 'name' | 'baseUrl'> {
  readonly authentication?: VendorSpec['authentication']
  readonly quirks?: Partial<OpenAiQuirks>
}
