import { FileText, type MediaJson } from '#domain/media/media-json.ts'
import type { VideoTask, VideoTaskKind } from '#domain/video/video-task.ts'
import { fetchImage, type Step, type StepOutcome } from '#providers/codecs/exchange-script.ts'
import { fixedParameters, type MediaTarget } from '#providers/codecs/target.ts'
import { ratioOf } from '#providers/codecs/videos/frame-size.ts'
import { hostDuration } from '#providers/codecs/videos/host-duration.ts'
import { negativePromptOf, passedOn } from '#providers/codecs/videos/passed-on.ts'
import { refuseMoreReferences, refuseOtherTasks } from '#providers/codecs/videos/refuse-task.ts'

export const veoTasks: readonly VideoTaskKind[] = ['text_to_video', 'image_to_video', 'keyframes', 'reference_to_video']
const referencesMax = 3

/** The video length to request from Veo, in seconds. */
export function veoSeconds(task: VideoTask, target: MediaTarget): number {
  return hostDuration(task, 'Veo', isSecondGeneration(target.upstreamModel) ? [5, 6, 7, 8] : [4, 6, 8], target)
}

interface VeoOrder {
  readonly instances: readonly MediaJson[]
  readonly parameters: { readonly [name: string]: MediaJson | undefined }
}

/** The body of `predictLongRunning`, the same on both of Google's APIs. It requires images as bytes. */
export function* veoOrder(task: VideoTask, target: MediaTarget): Generator<Step, VeoOrder, StepOutcome> {
  refuseOtherTasks(task, 'Google', veoTasks)
  refuseMoreReferences(task, 'Google', referencesMax)
  const durationSeconds = veoSeconds(task, target)
  const instance: Record<string, MediaJson> = { prompt: task.prompt }
  if (task.firstFrame !== null) instance.image = yield* imageAt(task.firstFrame)
  if (task.lastFrame !== null) instance.lastFrame = yield* imageAt(task.lastFrame)
  if (task.task === 'reference_to_video') {
    const references: MediaJson[] = []
    for (const url of task.references) references.push({ image: yield* imageAt(url), referenceType: 'asset' })
    instance.referenceImages = references
  }
  const knowsResolution = task.resolution !== null && !isSecondGeneration(target.upstreamModel)
  const parameters = {
    ...passedOn(task, target),
    aspectRatio: ratioOf(task, ['16:9', '9:16'], target),
    ...(knowsResolution ? { resolution: task.resolution.toLowerCase() } : {}),
    durationSeconds,
    ...(task.seed === null ? {} : { seed: task.seed }),
    negativePrompt: negativePromptOf(task),
    ...fixedParameters(target),
    // Each sample is charged, and the client requested one.
    sampleCount: 1,
  }
  return { instances: [instance], parameters }
}

function* imageAt(url: string): Generator<Step, MediaJson, StepOutcome> {
  const file = yield* fetchImage(url)
  return { bytesBase64Encoded: new FileText(file), mimeType: file.mediaType }
}

/** Veo 2 creates 720p without sound and supports other lengths than later releases. */
function isSecondGeneration(upstreamModel: string): boolean {
  return upstreamModel.startsWith('veo-2')
}
