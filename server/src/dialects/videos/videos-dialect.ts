import { fitOrder } from '#domain/video/fit-order.ts'
import { worstVideo } from '#domain/video/video-usage.ts'
import { errorBody, GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Model } from '#domain/catalogue/model.ts'
import type { DialectCall, MediaAsk, MediaDialect } from '../dialect.ts'
import { readModelName } from '../media-fields.ts'
import { changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { parseVideoOrder } from './parse-video-order.ts'

/** The API of video submits. Their responses are jobs, which are rendered from the store. */
export const videosDialect: MediaDialect = {
  family: 'media',
  name: 'videos',
  ...textAccess((body, change) =>
    changeMember(body, 'prompt', (prompt) => (typeof prompt === 'string' ? change(prompt) : prompt)),
  ),
  parse: parseVideos,
  refuseUnfit: (call, model) => {
    refuseOtherKinds(model)
    call.media?.fitTo?.(model)
  },
  keepAlive: null,
  render: () => {
    throw new TypeError('a video is not made while its client waits')
  },
  failFrames: () => null,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}

function parseVideos(body: JsonObject): DialectCall {
  const modelName = readModelName(body)
  const order = parseVideoOrder(body)
  const fitTo = (fitting: Model): MediaAsk => {
    const task = fitOrder(order, fitting)
    return { task, worst: worstVideo(task) }
  }
  return {
    modelName,
    stream: false,
    maxTokens: 0,
    choiceCount: 1,
    hasTools: false,
    promptTokensEstimate: 0,
    promptTokensHeld: 0,
    body,
    media: { ...fitTo(anyModel), fitTo },
  }
}

// A model without limits; the order is fitted to the actual model once it is known.
const anyModel: Model = {
  id: '',
  name: '',
  author: '',
  kind: 'video',
  description: null,
  contextLength: null,
  maxCompletionTokens: null,
  inputModalities: ['text', 'image', 'video'],
  outputModalities: ['video'],
  supportedParameters: null,
  defaultProvider: null,
  upstreamModel: null,
  aliases: [],
  releasedAtMs: null,
  retiresAtMs: null,
  listed: false,
  details: { video: { supported_frame_images: ['first_frame', 'last_frame'] } },
  price: null,
  offers: [],
}

function refuseOtherKinds(model: Model): void {
  if (model.outputModalities.includes('video')) return
  throw new GatewayError('modelEndpointMismatch', {
    message: `"${model.id}" is not a video model. GET /v1/models?output_modalities=video lists video models.`,
  })
}
