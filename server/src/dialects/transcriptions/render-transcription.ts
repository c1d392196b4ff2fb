import { completionTokensOf, promptTokensOf } from '#domain/inference/usage.ts'
import type { Spoken, TranscriptionResult } from '#domain/media/media-result.ts'
import { usdJson, zeroUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import { costDetails } from '../cost-details.ts'
import type { Charged, MediaContext, RenderedDocument, RenderedResult } from '../dialect.ts'
import { type Cue, cuesOf } from './cues.ts'
import { transcriptFormatOf } from './transcript-format.ts'

const plain = 'text/plain; charset=utf-8'

/** Renders a transcription in the requested format. */
export function renderTranscription(
  result: RenderedResult,
  charged: Charged | null,
  { requestBody, task: { kind } }: MediaContext,
): RenderedDocument {
  assert(result.kind === 'transcription', 'a recording becomes a transcription')
  const format = transcriptFormatOf(requestBody)
  switch (format) {
    case 'text':
      return { contentType: plain, body: `${result.text}\n` }
    case 'srt':
      return { contentType: plain, body: subRip(cuesOf(result)) }
    case 'vtt':
      return { contentType: plain, body: webVtt(cuesOf(result)) }
    case 'json':
    case 'verbose_json': {
      const task = format === 'json' ? {} : { task: kind === 'translation' ? 'translate' : 'transcribe' }
      const body = JSON.stringify({ ...task, ...transcriptJson(result), usage: usageJson(charged) })
      return { contentType: 'application/json; charset=utf-8', body }
    }
  }
}

function transcriptJson({ text, language, durationS, segments, words }: TranscriptionResult): JsonObject {
  return {
    text,
    ...(language === null ? {} : { language }),
    ...(durationS === null ? {} : { duration: durationS }),
    ...(segments === null ? {} : { segments: segments.map(segmentJson) }),
    ...(words === null ? {} : { words: words.map(wordJson) }),
  }
}

// OpenAI clients reject a segment without these fields, although most providers have none of them.
const unknownOfSegment = {
  seek: 0,
  tokens: [],
  temperature: 0,
  avg_logprob: 0,
  compression_ratio: 0,
  no_speech_prob: 0,
}

function segmentJson({ text, startS, endS, details = {} }: Spoken, id: number): JsonObject {
  return { id, ...unknownOfSegment, ...details, start: startS, end: endS, text }
}

function wordJson({ text, startS, endS, details = {} }: Spoken): JsonObject {
  return { ...details, word: text, start: startS, end: endS }
}

/** Without a usage record nothing was counted, and nothing is charged. */
function usageJson(charged: Charged | null): JsonObject {
  const cost = usdJson(charged?.cost ?? zeroUsd)
  if (charged === null) return { type: 'duration', seconds: 0, cost }
  const { usage, upstreamCost } = charged
  const input = promptTokensOf(usage)
  const output = completionTokensOf(usage)
  const seconds = (usage.media?.inputAudioMs ?? 0) / 1_000
  const rest = { cost, ...costDetails(upstreamCost) }
  if (input + output === 0) return { type: 'duration', seconds, ...rest }
  return {
    type: 'tokens',
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    input_token_details: { text_tokens: input - usage.audioInput, audio_tokens: usage.audioInput },
    ...(seconds === 0 ? {} : { seconds }),
    ...rest,
  }
}

/** SubRip: numbered cues, with a comma before the milliseconds. */
export function subRip(cues: readonly Cue[]): string {
  return cues
    .map(({ text, startMs, endMs }, index) => {
      const times = `${timestamp(startMs, ',')} --> ${timestamp(endMs, ',')}`
      return `${index + 1}\n${times}\n${text.replaceAll('-->', '->')}\n\n`
    })
    .join('')
}

/** WebVTT. Its texts may contain markup, so text that looks like markup is escaped. */
export function webVtt(cues: readonly Cue[]): string {
  const blocks = cues.map(({ text, startMs, endMs }) => {
    const times = `${timestamp(startMs, '.')} --> ${timestamp(endMs, '.')}`
    return `${times}\n${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\n\n`
  })
  return `WEBVTT\n\n${blocks.join('')}`
}

/** Hours may have more than two digits; there are no days. */
function timestamp(ms: number, beforeMs: ',' | '.'): string {
  const hours = Math.floor(ms / 3_600_000)
  const minutes = Math.floor(ms / 60_000) % 60
  const seconds = Math.floor(ms / 1_000) % 60
  return `${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)}${beforeMs}${String(ms % 1_000).padStart(3, '0')}`
}

function twoDigits(count: number): string {
  return String(count).padStart(2, '0')
}
