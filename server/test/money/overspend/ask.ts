import type { JsonObject } from '#lib/json.ts'

/** A client's request in any dialect. */
export interface Ask {
  readonly dialect?: Dialect
  readonly model?: string
  readonly stream?: boolean
  /** Messages requests always have a cap. */
  readonly cap?: number
  /** The field of the cap in chat. */
  readonly capName?: CapName
  /** Only chat supports more than one choice. */
  readonly choices?: number
  readonly thinkingTokens?: number
  readonly hasTools?: boolean
  readonly hasImage?: boolean
  /** The size of the text in bytes, if longer than usual. */
  readonly textBytes?: number
  /** Only chat: an inline compressed file of this many bytes. */
  readonly fileBytes?: number
  /** A medium whose tokens only the upstream can count. */
  readonly medium?: Medium
  /** Allows this many web searches, or any number if null. */
  readonly searches?: number | null
}

type Medium = 'video' | 'file'

export type CapName = 'max_tokens' | 'max_completion_tokens'

type Dialect = 'chat' | 'messages' | 'responses'

export function isCapped({ cap, dialect }: Ask): boolean {
  return cap !== undefined || dialect === 'messages'
}

/** The default model. */
export const plainModel = 'acme/plain'
const prompt = 'Hello there my friend'
const pixel = 'iVBORw0KGgo='
const pixelUrl = `data:image/png;base64,${pixel}`

/** The request as a client of the dialect sends it. */
export function requestFor(ask: Ask): { path: string; body: JsonObject } {
  const { dialect = 'chat', model = plainModel, stream = false } = ask
  return { path: paths[dialect], body: { model, stream, ...writers[dialect](ask) } }
}

const paths: Readonly<Record<Dialect, string>> = {
  chat: '/v1/chat/completions',
  messages: '/v1/messages',
  responses: '/v1/responses',
}

const writers: Readonly<Record<Dialect, (ask: Ask) => JsonObject>> = { chat, messages, responses }

function chat(ask: Ask): JsonObject {
  const { cap, capName = 'max_tokens', choices, thinkingTokens, hasTools, hasImage } = ask
  const image = { type: 'image_url', image_url: { url: pixelUrl } }
  const shown = [...(hasImage === true ? [image] : []), ...fileIn(ask), ...mediumIn(ask, chatMedia)]
  const text = textOf(ask)
  const content = shown.length > 0 ? [{ type: 'text', text }, ...shown] : text
  return {
    messages: [{ role: 'user', content }],
    ...(cap === undefined ? {} : { [capName]: cap }),
    ...(choices === undefined ? {} : { n: choices }),
    ...(thinkingTokens === undefined ? {} : { reasoning: { max_tokens: thinkingTokens } }),
    ...toolsOf(ask, hasTools === true ? [{ type: 'function', function: { name: 'f', parameters: {} } }] : []),
  }
}

function textOf({ textBytes }: Ask): string {
  return textBytes === undefined ? prompt : 'word '.repeat(textBytes / 5)
}

function fileIn({ fileBytes }: Ask): JsonObject[] {
  if (fileBytes === undefined) return []
  const data = 'A'.repeat((fileBytes * 4) / 3)
  return [{ type: 'file', file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${data}` } }]
}

function mediumIn({ medium }: Ask, media: Readonly<Record<Medium, JsonObject>>): JsonObject[] {
  return medium === undefined ? [] : [media[medium]]
}

const address = 'https://media.example/long'
const chatMedia: Readonly<Record<Medium, JsonObject>> = {
  video: { type: 'video_url', video_url: { url: address } },
  // Chat only accepts inline files.
  file: { type: 'video_url', video_url: { url: address } },
}
const responsesMedia: Readonly<Record<Medium, JsonObject>> = {
  video: { type: 'input_video', video_url: address },
  file: { type: 'input_file', file_url: address },
}
const document = { type: 'document', source: { type: 'url', url: address } }
const messagesMedia: Readonly<Record<Medium, JsonObject>> = { video: document, file: document }

/** The client's tools, and Claude's search tool. */
function toolsOf({ searches }: Ask, own: readonly JsonObject[]): JsonObject {
  const bound = typeof searches === 'number' ? { max_uses: searches } : {}
  const search = searches === undefined ? [] : [{ type: 'web_search_20250305', name: 'web_search', ...bound }]
  const tools = [...own, ...search]
  return tools.length === 0 ? {} : { tools }
}

const messagesCap = 1_000

function messages(ask: Ask): JsonObject {
  const { cap = messagesCap, thinkingTokens, hasTools, hasImage } = ask
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } }
  const shown = [...(hasImage === true ? [image] : []), ...mediumIn(ask, messagesMedia)]
  const content = shown.length > 0 ? [{ type: 'text', text: prompt }, ...shown] : prompt
  return {
    max_tokens: cap,
    messages: [{ role: 'user', content }],
    ...(thinkingTokens === undefined ? {} : { thinking: { type: 'enabled', budget_tokens: thinkingTokens } }),
    ...toolsOf(ask, hasTools === true ? [{ name: 'f', input_schema: { type: 'object' } }] : []),
  }
}

function responses(ask: Ask): JsonObject {
  const { cap, thinkingTokens, hasTools, hasImage } = ask
  const image = { type: 'input_image', image_url: pixelUrl }
  const words = { type: 'input_text', text: prompt }
  const content = [words, ...(hasImage === true ? [image] : []), ...mediumIn(ask, responsesMedia)]
  return {
    input: [{ role: 'user', content }],
    ...(cap === undefined ? {} : { max_output_tokens: cap }),
    ...(thinkingTokens === undefined ? {} : { reasoning: { max_tokens: thinkingTokens } }),
    ...(hasTools === true ? { tools: [{ type: 'function', name: 'f', parameters: {} }] } : {}),
  }
}
