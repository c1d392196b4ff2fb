import { type Model, outputModalities } from '#domain/catalogue/model.ts'
import { imageDetailsOf } from '#domain/media/image-details.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, objectsIn, stringAt } from '#lib/json.ts'
import type { DialectCall } from '../dialect.ts'
import { parseImageUrl } from '../image-url.ts'
import { countMaxDefault } from '../images/refuse-unfit-model.ts'
import { imagesOrdered } from '../purpose-of.ts'

/**
 * Rejects images in a conversation that the model cannot handle. A conversation without images, the usual case, is not
 * checked.
 */
export function refuseUnfitImages(call: DialectCall, model: Model): void {
  const { modalities } = call.body
  if (Array.isArray(modalities)) refuseModalities(modalities, model)
  const ordered = imagesOrdered(call, model)
  if (ordered === 0) return
  refuseCount(ordered, model)
  const { shownImages = 0 } = call
  if (shownImages > 0) refuseInputs(call, shownImages)
}

/**
 * Text may be requested together with an image from any model: image-only models return the image alone. Unknown
 * modalities may be known to the upstream.
 */
function refuseModalities(asked: readonly JsonValue[], model: Model): void {
  const made = model.outputModalities
  const makesImage = asked.includes('image') && made.includes('image')
  const missing = outputModalities.find(
    (name) => asked.includes(name) && !made.includes(name) && !(name === 'text' && makesImage),
  )
  if (missing === undefined) return
  throw new GatewayError('invalidModalityForModel', {
    message: `"${model.id}" does not support the output modality "${missing}". Supported \`modalities\`: ${made.join(', ')}.`,
  })
}

function refuseCount(ordered: number, model: Model): void {
  const most = imageDetailsOf(model.details).countMax ?? countMaxDefault
  if (ordered <= most) return
  throw new GatewayError('invalidN', { message: `\`n\` must be at most ${most} for "${model.id}".` })
}

const inputsMax = 8

function refuseInputs({ body }: DialectCall, shownImages: number): void {
  if (shownImages > inputsMax) {
    throw new GatewayError('tooManyImages', {
      message: `An image request can include at most ${inputsMax} images, but this one has ${shownImages}.`,
    })
  }
  const messages = Array.isArray(body.messages) ? body.messages.filter(isJsonObject) : []
  // These images are inputs for image generation: the gateway may fetch them itself, over https only.
  for (const [place, url] of imageUrlsIn(messages)) parseImageUrl(url, place)
  const position = messages.findIndex(isWordless)
  if (position === -1) return
  throw malformed(
    `messages[${position}] has images but no text. Add a text part before the images that says what to do with them.`,
  )
}

function imageUrlsIn(messages: readonly JsonObject[]): [place: string, url: string][] {
  return messages.flatMap(({ content }, position) =>
    objectsIn(content).flatMap((part, index): [string, string][] => {
      const url = stringAt(objectAt(part, 'image_url'), 'url')
      return url === undefined ? [] : [[`messages[${position}].content[${index}].image_url.url`, url]]
    }),
  )
}

function isWordless({ content }: JsonObject): boolean {
  if (!Array.isArray(content)) return false
  const types = new Set(content.map((part) => (isJsonObject(part) ? part.type : undefined)))
  return types.has('image_url') && !types.has('text')
}
