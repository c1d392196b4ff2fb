export const features = [
  'text',
  'parallel tool calls',
  'reasoning with signature',
  'refusal',
  'length stop',
  'content filter',
  'mid-stream error',
  'cached-token usage',
  'image input',
  'structured output',
] as const
export type Feature = (typeof features)[number]

/** The content of a feature's response, independent of any protocol. */
export interface Said {
  readonly text?: string
  readonly refusal?: string
  readonly calls?: readonly SaidCall[]
  readonly reasoning?: string
  readonly signature?: string
  readonly finish: 'stop' | 'length' | 'tool_calls' | 'content_filter'
}

interface SaidCall {
  readonly id: string
  readonly name: string
  readonly input: { readonly [key: string]: string }
}

export interface SampleTool {
  readonly name: string
  readonly description: string
  readonly schema: {
    type: 'object'
    properties: { [name: string]: { type: 'string' } }
    required: string[]
  }
}

export const sampleTools: readonly SampleTool[] = [
  {
    name: 'get_weather',
    description: 'Says what the weather is.',
    schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
  {
    name: 'get_time',
    description: 'Says what time it is.',
    schema: { type: 'object', properties: { zone: { type: 'string' } }, required: ['zone'] },
  },
]

/** The schema for structured output. */
export const sampleSchema = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
}

export const structuredText = '{"city":"Oslo"}'

export const samplePng = {
  mediaType: 'image/png',
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
} as const

/** The content of most upstreams; each adds its own ids, signatures and refusals. */
export const usuallySaid: Readonly<Record<Feature, Said>> = {
  text: { text: 'Hello', finish: 'stop' },
  'parallel tool calls': { finish: 'tool_calls' },
  'reasoning with signature': { text: 'Hello', reasoning: 'Let me think, 東.', finish: 'stop' },
  refusal: { text: 'I can not.', finish: 'content_filter' },
  'length stop': { text: 'Hel', finish: 'length' },
  'content filter': { text: 'Hel', finish: 'content_filter' },
  'mid-stream error': { text: 'Hel', finish: 'stop' },
  'cached-token usage': { text: 'Hello', finish: 'stop' },
  'image input': { text: 'Hello', finish: 'stop' },
  'structured output': { text: structuredText, finish: 'stop' },
}

/** The calls of the tools above, as most upstreams stream them. */
export const callPieces = [
  { name: 'get_weather', input: { city: 'Oslo' }, pieces: ['{"city":', '"Oslo"}'] },
  { name: 'get_time', input: { zone: 'UTC' }, pieces: ['{"zone":"UTC"}'] },
] as const

/** The tokens of every response: 30 of the prompt are cached, 10 of the output are reasoning where that is counted. */
export const sampleTokens = { prompt: 100, cached: 30, completion: 40, reasoning: 10 } as const
