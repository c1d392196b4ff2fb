import type { VideoTask } from '#domain/video/video-task.ts'
import { videoUsage } from '#domain/video/video-usage.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { type Exchange, send } from '#providers/codecs/exchange-script.ts'
import { UpstreamRefusedError } from '#providers/codecs/faults.ts'
import { getRequest, jsonOf, jsonRequest } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import type { VideoCodec, VideoProgress } from '#providers/codecs/video-codec.ts'
import { givenId, storedText } from '#providers/codecs/videos/given-id.ts'
import { publicOutputs } from '#providers/codecs/videos/outputs.ts'
import { atWork, failedVideo, forgottenVideo, waiting } from '#providers/codecs/videos/video-outcome.ts'
import { klingMode, klingOrder, klingPath, klingSeconds, klingTasks, omniTasks } from './order.ts'
import { judgeKlingFailure, readKlingFailure, saysNoSuchTask } from './read-failure.ts'

/** Kling keeps the name that we give a task, so that a task whose response was lost can be found by it. */
export const klingVideos: VideoCodec = {
  tasks: omniTasks,
  tasksFor: (upstreamModel) => klingTasks({ upstreamModel }),
  *submit(task, target, name) {
    const { path, body } = klingOrder(task, target, name)
    const data = dataIn(yield* send(jsonRequest(target, path, body)))
    return { path, id: givenId(data, 'task_id') }
  },
  *find(name, target, task) {
    const path = klingPath(task, target)
    const exchange = yield* send(getRequest(target, `${path}/${encodeURIComponent(name)}`))
    return isNoSuchTask(exchange) ? null : { path, id: givenId(dataIn(exchange), 'task_id') }
  },
  *poll(reference, target, task) {
    const path = `${storedText(reference, 'path')}/${encodeURIComponent(storedText(reference, 'id'))}`
    const exchange = yield* send(getRequest(target, path))
    return isNoSuchTask(exchange) ? forgottenVideo : progressOf(dataIn(exchange), task, target)
  },
}

/** The content of the envelope. Any code except 0 is a rejection, whatever the status. */
function dataIn(exchange: Exchange): JsonObject {
  const answer = jsonOf(exchange, readKlingFailure)
  if (answer.code !== 0) throw new UpstreamRefusedError(judgeKlingFailure(answer))
  return objectAt(answer, 'data')
}

function isNoSuchTask({ body }: Exchange): boolean {
  const answer = parseJsonObject(body.toString('utf8'))
  return answer !== undefined && saysNoSuchTask(answer)
}

function progressOf(data: JsonObject, task: VideoTask, target: MediaTarget): VideoProgress {
  switch (data.task_status) {
    case 'submitted':
      return waiting
    case 'succeed': {
      const { videos } = objectAt(data, 'task_result')
      const made = Array.isArray(videos) ? videos.filter(isJsonObject) : []
      const outputs = publicOutputs(made.map(({ url, watermark_url: marked }) => (task.watermark && marked) || url))
      const mode = klingMode(task, target)
      const variant = mode === undefined ? {} : { variant: { mode } }
      const outputVideoMs = klingSeconds(task, target) * 1_000
      return { kind: 'made', outputs, usage: videoUsage(task, { outputVideoMs, ...variant }) }
    }
    case 'failed':
      return failedVideo(stringAt(data, 'task_status_msg'))
    default:
      return atWork
  }
}
