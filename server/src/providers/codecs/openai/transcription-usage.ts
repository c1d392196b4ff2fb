import { disjointUsage, type MediaUsage, type Usage } from '#domain/inference/usage.ts'
import { statedCost } from '#domain/money/stated-cost.ts'
import { countAt, type JsonObject, objectAt } from '#lib/json.ts'
import { openAiCounting } from '../../spec.ts'
import { millisecondsOf } from '../audio/heard-usage.ts'
import { secondsAt } from '../audio/seconds-at.ts'

/**
 * The usage that an upstream reports: a cost, seconds or tokens, in any of the places where compatible upstreams put
 * them, or else the length of the recording. Null if it reports nothing.
 */
export function transcriptionUsage(answer: JsonObject, durationS: number | undefined): Usage | null {
  const usage = objectAt(answer, 'usage')
  const statedNano = statedCost(usage.cost)
  const seconds = secondsAt(usage, 'seconds') ?? secondsAt(usage, 'prompt_audio_seconds') ?? durationS
  const input = countAt(usage, 'input_tokens') ?? countAt(usage, 'prompt_tokens')
  const output = countAt(usage, 'output_tokens') ?? countAt(usage, 'completion_tokens')
  if ([statedNano, seconds, input, output].every((count) => count === undefined)) return null
  const media: MediaUsage = {
    ...(seconds === undefined ? {} : { inputAudioMs: millisecondsOf(seconds) }),
    ...(statedNano === undefined ? {} : { statedNano }),
  }
  const details = { ...objectAt(usage, 'prompt_tokens_details'), ...objectAt(usage, 'input_token_details') }
  const tokens = { prompt: input ?? 0, completion: output ?? 0, audioInput: countAt(details, 'audio_tokens') ?? 0 }
  return { ...disjointUsage(tokens, openAiCounting), ...(Object.keys(media).length === 0 ? {} : { media }) }
}
