import type { UsageClasses } from '#domain/inference/usage.ts'
import type { SpeechTask } from '#domain/media/media-task.ts'
import { defaultVoiceOf, speechTypeOf } from '#domain/media/speech.ts'
import { wavOf } from '#domain/media/wav-of.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { unsupportedFormat } from '#providers/codecs/audio/unsupported-format.ts'
import type { SpeechCodec } from '#providers/codecs/codec.ts'
import { knownExtras } from '#providers/codecs/images/known-extras.ts'
import { jsonRequest } from '#providers/codecs/media-request.ts'
import { readFailure } from '#providers/protocols/gemini/read-failure.ts'
import { readUsage } from '#providers/protocols/gemini/read-usage.ts'

const formats: ReadonlySet<string> = new Set(['wav', 'pcm'])
const usualFormat = 'wav'
const told = ['temperature', 'seed']

/** Gemini speaks within a conversation and returns raw samples only. Style instructions are part of the text. */
export const geminiSpeech: SpeechCodec = {
  ignored: ({ speed, extras }) => [
    ...(speed === null ? [] : ['speed']),
    ...Object.keys(extras).filter((name) => !told.includes(name)),
  ],
  buildRequest: (task, target) => {
    if (!formats.has(formatOf(task))) throw unsupportedFormat(formatOf(task), formats)
    const voiceName = task.voice === '' ? defaultVoiceOf(target.details) : task.voice
    return jsonRequest(target, `/models/${encodeURIComponent(target.upstreamModel)}:generateContent`, {
      contents: [{ role: 'user', parts: [{ text: task.input }] }],
      generationConfig: {
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
        ...knownExtras(task.extras, told),
      },
    })
  },
  contentTypeFor: (task) => speechTypeOf(formatOf(task)),
  readDocument: (document, task) => {
    const answer = parseJsonObject(document.toString('utf8')) ?? {}
    const audio = audioIn(answer, formatOf(task))
    return audio === undefined ? undefined : { audio, usage: usageIn(answer) }
  },
  countsTokens: true,
  readFailure,
}

function formatOf({ format }: SpeechTask): string {
  return format ?? usualFormat
}

/** Samples arrive as `audio/L16;codec=pcm;rate=24000`, little-endian in spite of L16. */
function audioIn(answer: JsonObject, format: string): Buffer | undefined {
  const pieces = inlineData(answer)
  const rate = samplesType.exec(stringAt(pieces[0] ?? {}, 'mimeType') ?? '')?.[1]
  if (rate === undefined) return undefined
  const samples = Buffer.concat(pieces.map((piece) => Buffer.from(stringAt(piece, 'data') ?? '', 'base64')))
  return format === 'pcm' || samples.length === 0 ? samples : wavOf(samples, Number(rate))
}

const samplesType = /^audio\/(?:L16|pcm)\b.*;\s*rate=(\d{4,6})\b/i

function inlineData({ candidates }: JsonObject): JsonObject[] {
  const [first] = Array.isArray(candidates) ? candidates.filter(isJsonObject) : []
  const { parts } = objectAt(first ?? {}, 'content')
  const spoken = Array.isArray(parts) ? parts.filter(isJsonObject) : []
  return spoken.map((part) => objectAt(part, 'inlineData')).filter((data) => 'data' in data)
}

/** A speech response contains only audio, even if its usage does not say so. */
function usageIn(answer: JsonObject): UsageClasses | null {
  const usage = readUsage(answer)
  return usage === undefined ? null : { ...usage, textOutput: 0, audioOutput: usage.audioOutput + usage.textOutput }
}
