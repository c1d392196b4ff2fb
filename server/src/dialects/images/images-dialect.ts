import { errorBody } from '#errors/gateway-error.ts'
import type { MediaDialect } from '../dialect.ts'
import { changeText } from '../texts/change-content.ts'
import { changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { closeImageEvents, failImageEvents, imageHeartbeat, writeImageEvents } from './image-events.ts'
import { parseImageEdit, parseImages } from './parse-images.ts'
import { refuseUnfitModel } from './refuse-unfit-model.ts'
import { imagesOf, renderImages } from './render-images.ts'

/** What both endpoints of images share: their answers. */
const answers: Omit<MediaDialect, 'name' | 'parse'> = {
  family: 'media',
  refuseUnfit: refuseUnfitModel,
  ...textAccess((body, change) => changeMember(body, 'prompt', (text) => changeText(text, change))),
  render: renderImages,
  writeStream: (result) => writeImageEvents(imagesOf(result)),
  closeStream: (result, charged, { durationMs }) => closeImageEvents(imagesOf(result), charged, durationMs),
  failFrames: failImageEvents,
  keepAlive: imageHeartbeat,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}

/** Images from words, and from other images, in JSON. */
export const imagesDialect: MediaDialect = { ...answers, name: 'images', parse: parseImages }

/** Images from other images, as a form. */
export const imageEditsDialect: MediaDialect = { ...answers, name: 'image_edits', parse: parseImageEdit }
