import { type OpenAiQuirks, openAiCounting, type OpenAiVendor, type ResponsesQuirks } from '#providers/spec.ts'
import { responsesHost } from '../responses/responses-host.ts'

/** A vendor of chat completions, defined by its differences from OpenAI. */
export function openAiHost(host: OpenAiHost): OpenAiVendor {
  const { slug, name, baseUrl, quirks, responses } = host
  const vendor: OpenAiVendor = {
    slug,
    name,
    protocol: 'openai',
    baseUrl,
    chatPath: '/chat/completions',
    authentication: host.authentication ?? { kind: 'bearer' },
    openai: { streamUsage: 'ask', counting: openAiCounting, ...quirks },
    ...(host.keepsPrompts === undefined ? {} : { keepsPrompts: host.keepsPrompts }),
    ...(host.completions === undefined ? {} : { completions: host.completions }),
    ...(host.modelList === undefined ? {} : { modelList: host.modelList }),
    ...(host.media === undefined ? {} : { media: host.media }),
    ...(host.realtimePath === undefined ? {} : { realtimePath: host.realtimePath }),
  }
  return responses === undefined ? vendor : { ...vendor, onResponses: responsesHost(vendor, responses) }
}

export interface OpenAiHost
  extends Pick<
    OpenAiVendor,
    'slug' | 'name' | 'baseUrl' | 'keepsPrompts' | 'completions' | 'modelList' | 'media' | 'realtimePath'
  > {
  readonly authentication?: OpenAiVendor['authentication']
  readonly quirks?: Partial<OpenAiQuirks>
  /** Set if it also supports Responses. */
  readonly responses?: ResponsesQuirks
}
