import { Readable } from 'node:stream'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import type { JsonObject } from '#lib/json.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { gptTranscribe } from '#test/media/audio/audio-models.ts'
import { silence } from '#test/simulators/media/audio/audio-bytes.ts'
import { addUpstream } from './add-upstream.ts'
import type { SentContent } from './call.ts'
import { editForm } from './edit-form.ts'
import { imageJson } from './media-answers.ts'
import type { World } from './world.ts'

/** One request to an endpoint other than chat, and a successful response to it. */
export interface MediaCall {
  readonly what: string
  readonly path: string
  readonly body: JsonObject | SentContent
  readonly answer: { readonly text: string; readonly type: string }
}

const json = 'application/json'
const boundary = 'drill-audio'

export const mediaCalls: readonly MediaCall[] = [
  {
    what: 'embeddings',
    path: '/v1/embeddings',
    body: { model: 'openai/text-embedding-3-small', input: 'one two three' },
    answer: {
      type: json,
      text: JSON.stringify({
        object: 'list',
        model: 'text-embedding-3-small',
        data: [{ object: 'embedding', index: 0, embedding: [0.25, -0.5] }],
        usage: { prompt_tokens: 3_000, total_tokens: 3_000 },
      }),
    },
  },
  {
    what: 'images',
    path: '/v1/images/generations',
    body: { model: 'openai/gpt-image-1.5', prompt: 'a lighthouse at dusk' },
    answer: { type: json, text: imageJson },
  },
  {
    what: 'edits',
    path: '/v1/images/edits',
    body: editForm({ model: 'openai/gpt-image-1.5', files: 2, bytesEach: 300_000 }),
    answer: { type: json, text: imageJson },
  },
  {
    what: 'speech',
    path: '/v1/audio/speech',
    body: { model: 'openai/tts-1', input: 'one two three', voice: 'alloy' },
    answer: { type: 'audio/mpeg', text: `ID3${'x'.repeat(5_000)}` },
  },
  {
    what: 'transcription',
    path: '/v1/audio/transcriptions',
    body: recording(),
    answer: {
      type: json,
      text: JSON.stringify({
        text: 'one two three',
        usage: { type: 'tokens', input_tokens: 100, output_tokens: 10, total_tokens: 110, cost: 0.001 },
      }),
    },
  },
]

/** Routes the models of these requests to the world's simulator. */
export async function addMediaUpstream(world: World): Promise<void> {
  const parsed = parseCatalogueFile([gptTranscribe])
  if (!parsed.accepted) throw new Error(JSON.stringify(parsed.problems))
  await createCatalogueStore(world.pool).import(parsed.rows, Date.now())
  await addUpstream(world, { pattern: 'openai/*' })
}

function recording(): SentContent {
  const bytes = Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="model"\r\n\r\n${String(gptTranscribe['id'])}\r\n`,
    ),
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`),
    silence(1),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    byteCount: bytes.length,
    open: () => Readable.from([bytes], { objectMode: false }),
  }
}
