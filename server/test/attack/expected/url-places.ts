import type { JsonObject } from '#lib/json.ts'

/** A place where a client or an upstream can write a URL that the gateway might open. */
export interface UrlPlace {
  readonly name: string
  readonly method: 'POST' | 'PATCH'
  readonly path: string
  readonly by: 'manager' | 'caller'
  readonly body: (url: string) => JsonObject
  /** The valid statuses for a non-public address. */
  readonly statuses: readonly number[]
}

const film = { model: 'google/veo-3.1', prompt: 'A river' }
const chatWith = (part: JsonObject): JsonObject => ({
  model: 'openai/gpt-5.2',
  max_tokens: 16,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, part] }],
})

export const urlPlaces: readonly UrlPlace[] = [
  {
    name: 'the address of an own key',
    method: 'POST',
    path: '/v1/management/byok-keys',
    by: 'manager',
    body: (baseUrl) => ({ name: 'x', baseUrl, apiKey: 'sk-x' }),
    statuses: [400],
  },
  {
    name: 'the changed address of an own key',
    method: 'PATCH',
    path: '/v1/management/byok-keys/{ownKeyId}',
    by: 'manager',
    body: (baseUrl) => ({ baseUrl }),
    statuses: [400],
  },
  video('where a video is reported', (url) => ({ callback_url: url })),
  video('a frame of a video', (url) => ({ frame_images: [url] })),
  video('a frame of a video, as a part', (url) => ({
    frame_images: [{ type: 'image_url', image_url: { url }, frame_type: 'first_frame' }],
  })),
  video('a reference of a video', (url) => ({ input_references: [url] })),
  video('a video to edit', (url) => ({ input_video: url })),
  // An upstream may fetch the URL; the gateway itself does not open it.
  inference('an image of a chat', '/v1/chat/completions', (url) => chatWith({ type: 'image_url', image_url: { url } })),
  inference('a video of a chat', '/v1/chat/completions', (url) => chatWith({ type: 'video_url', video_url: { url } })),
  inference('an image of Responses', '/v1/responses', (url) => ({
    model: 'openai/gpt-5.2',
    input: [{ role: 'user', content: [{ type: 'input_image', image_url: url }] }],
  })),
  inference('an image of Messages', '/v1/messages', (url) => ({
    model: 'openai/gpt-5.2',
    max_tokens: 16,
    messages: [{ role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] }],
  })),
]

function video(name: string, fields: (url: string) => JsonObject): UrlPlace {
  const body = (url: string): JsonObject => ({ ...film, ...fields(url) })
  return { name, method: 'POST', path: '/v1/videos', by: 'caller', body, statuses: [400] }
}

function inference(name: string, path: string, body: UrlPlace['body']): UrlPlace {
  return { name, method: 'POST', path, by: 'caller', body, statuses: [200, 400] }
}
