import { type JsonObject, objectsIn, stringAt } from '#lib/json.ts'
import type { VideoProgress } from '#providers/codecs/video-codec.ts'
import { atWork, failedVideo, refusedContent, waiting } from '#providers/codecs/videos/video-outcome.ts'

/** A completed interaction: its videos, each with an address or with its bytes in base64. */
interface FinishedInteraction {
  readonly kind: 'videos'
  readonly videos: readonly JsonObject[]
}

/** The state of an interaction. If it completed without a video, the model refused. */
export function readInteraction(interaction: JsonObject): FinishedInteraction | VideoProgress {
  const status = stringAt(interaction, 'status') ?? ''
  if (status === 'queued') return waiting
  if (failures.has(status)) return failedVideo(messageIn(interaction))
  if (status !== 'completed') return atWork
  const contents = objectsIn(interaction.steps)
    .filter(({ type }) => type === 'model_output')
    .flatMap(({ content }) => objectsIn(content))
  const videos = contents.filter((content) => content.type === 'video' && (content.uri ?? content.data) !== undefined)
  if (videos.length > 0) return { kind: 'videos', videos }
  return refusedContent(contents.flatMap((content) => stringAt(content, 'text') ?? []).at(-1))
}

const failures: ReadonlySet<string> = new Set([
  'failed',
  'cancelled',
  'incomplete',
  'budget_exceeded',
  'requires_action',
  'requires_continuation',
])

/** An error is in the list of the interaction, or at the step that failed. */
function messageIn(interaction: JsonObject): string | undefined {
  const errors = [
    ...objectsIn(interaction.errors),
    ...objectsIn(interaction.steps).flatMap(({ error }) => objectsIn([error ?? null])),
  ]
  return errors.flatMap((error) => stringAt(error, 'message') ?? []).at(-1)
}
