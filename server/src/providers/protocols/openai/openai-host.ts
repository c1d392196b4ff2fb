import type { Target } from '#providers/protocol.ts'
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
    ...(host.keepsPrompts === undefined ? {} : { keepsPrompts: host.keepsPrompts }),
    ...(host.media === undefined ? {} : { media: host.media }),
  }
}

export interface OpenAiHost extends Pick<OpenAiVendor, 'slug' | 'name' | 'baseUrl' | 'keepsPrompts' | 'media'> {
  readonly authentication?: OpenAiVendor['authentication']
  readonly quirks?: Partial<OpenAiQuirks>
}

/** Where a call goes that was not written for its host. */
export interface OpenAiTarget extends Target {
  readonly vendor: OpenAiVendor
}
