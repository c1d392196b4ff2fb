import type { Model, ModelKind } from '#domain/catalogue/model.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import type { DialectCall } from './dialect.ts'
import type { PromptAccess } from './prompt-access.ts'

/** The model checks of every conversation dialect. */
export function refuseUnfitFor(prompt: PromptAccess): (call: DialectCall, model: Model) => void {
  return (call, model) => {
    refuseOtherKinds(model)
    refuseTools(call, model)
    const items = prompt.items(call.body)
    refuseManyMessages(items.length, model)
    if (!model.inputModalities.includes('image') && items.some(showsImage)) throw noImageInput(model)
  }
}

function refuseOtherKinds(model: Model): void {
  if (model.kind === 'realtime') {
    throw new GatewayError('modelEndpointMismatch', {
      message: `"${model.id}" is a realtime model. Open a WebSocket at /v1/realtime?model=${model.id}.`,
    })
  }
  if (model.outputModalities.includes('text') || model.outputModalities.includes('image')) return
  if (model.kind === 'embedding') {
    throw new GatewayError('embeddingOnChatEndpoint', {
      message: `"${model.id}" is an embedding model. Use POST /v1/embeddings.`,
    })
  }
  if (model.kind === 'video') {
    throw new GatewayError('wrongEndpointForVideo', { message: `"${model.id}" is a video model. Use POST /v1/videos.` })
  }
  const path = otherPaths[model.kind]
  const place = path === undefined ? '' : ` Use POST ${path}.`
  throw new GatewayError('modelEndpointMismatch', { message: `"${model.id}" does not support chat.${place}` })
}

const otherPaths: Readonly<Partial<Record<ModelKind, string>>> = {
  rerank: '/v1/rerank',
  moderation: '/v1/moderations',
}

// A catalogue entry without parameters rejects nothing.
function refuseTools(call: DialectCall, model: Model): void {
  const parameters = model.supportedParameters ?? []
  if (!call.hasTools || parameters.length === 0 || parameters.includes('tools')) return
  throw new GatewayError('toolUseUnsupported', { message: `"${model.id}" does not support tools.` })
}

/** Whether a message has an image part, in any dialect. */
function showsImage(item: JsonValue): boolean {
  if (!isJsonObject(item) || !Array.isArray(item.content)) return false
  return item.content.some((part) => isJsonObject(part) && imageParts.has(part.type))
}

const imageParts: ReadonlySet<JsonValue | undefined> = new Set(['image_url', 'input_image', 'image'])

export function noImageInput(model: Model): GatewayError {
  return new GatewayError('inputImagesNotSupported', {
    message: `"${model.id}" does not accept images. Remove them, or choose a model with image input from GET /v1/models.`,
  })
}

const claudeMessagesMax = 1_000

function refuseManyMessages(messageCount: number, model: Model): void {
  if (model.author !== 'anthropic' || messageCount <= claudeMessagesMax) return
  throw malformed(`"${model.id}" accepts at most ${claudeMessagesMax} messages, but this request has ${messageCount}.`)
}
