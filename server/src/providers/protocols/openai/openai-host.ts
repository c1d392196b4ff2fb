import { type OpenAiQuirks, openAiCounting, type OpenAiVendor } from '#providers/spec.ts'

/** A vendor that speaks chat completions, from its differences to OpenAI alone. */
export function openAiHost(host: OpenAiHost): OpenAiVendor {
  const { slug, name, baseUrl, quirks } = host
  return {
    slug,
    name,
    protocol: 'openai',
    baseUrl,
    chatPath: '/chat/completions',
    authentication: host.authentication ?? { kind: 'bearer' },
    openai: { streamUsage: 'ask', counting: openAiCounting, ...quirks },
    ...(host.media === undefined ? {} : { media: host.media }),
  }
}

export interface OpenAiHost extends Pick<OpenAiVendor, 'slug' | 'name' | 'baseUrl' | 'media'> {
  readonly authentication?: OpenAiVendor['authentication']
  readonly quirks?: Partial<OpenAiQuirks>
}
