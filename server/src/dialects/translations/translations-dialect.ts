import type { TranscriptionTask, TranslationTask } from '#domain/media/media-task.ts'
import type { FormFile } from '#domain/media/media-file.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import type { DialectCall, MediaDialect } from '../dialect.ts'
import { parseTranscription } from '../transcriptions/parse-transcription.ts'
import { transcriptionsDialect } from '../transcriptions/transcriptions-dialect.ts'

/** OpenAI's Translations: the words of a recording, in English. */
export const translationsDialect: MediaDialect = {
  ...transcriptionsDialect,
  name: 'translations',
  parse: parseTranslation,
}

/** The same fields as of a transcription. Its language is always English, and no upstream times words. */
function parseTranslation(body: JsonObject, files: readonly FormFile[]): DialectCall {
  const call = parseTranscription(body, files)
  const { media } = call
  assert(media?.task.kind === 'transcription', 'a recording is transcribed')
  return { ...call, media: { ...media, task: translationOf(media.task) } }
}

function translationOf({ audio, prompt, temperature, wants }: TranscriptionTask): TranslationTask {
  return { kind: 'translation', audio, prompt, temperature, wants: { ...wants, words: false } }
}
