import { pngUri } from '#test/media/embeddings/embeddings-world.ts'
import { formOf } from '#test/media/images/images-world.ts'
import { pngOf } from '#test/media/proxy/sample-images.ts'
import type { Client } from '#test/setup/client.ts'
import { type Asked, call, inferencePaths, type Inference, type JsonRecord } from './every-call.ts'
import { talkModel } from './oracle-world.ts'
import { imageFields } from './request-situations.ts'
import { inferenceNamed, onInference, type Situation } from './situation.ts'

/** Requests that would succeed with another model or another form of the request. */
export const capabilitySituations: Readonly<Record<string, Situation>> = {
  'the model calls no tools': ofModel('acme/toolless', { supported_parameters: ['max_tokens'] }, (endpoint) => ({
    tools: [toolOf(endpoint)],
  })),
  'the prompt is longer than the context': ofModel('acme/forgetful', { context_length: 16_384 }, (endpoint) => {
    const prompt = 'the tide comes in and the boats go out again; '.repeat(4_000)
    return endpoint === 'responses' ? { input: prompt } : { messages: [{ role: 'user', content: prompt }] }
  }),
  'the model sees no images': ofModel('acme/blind', { input_modalities: ['text'] }, (endpoint) =>
    imageFields(endpoint, pngUri),
  ),
  'the model makes no images': ofModel('acme/writer', { output_modalities: ['text'] }, () => ({
    modalities: ['image'],
  })),
  'an edit is no form': editing((client) => client.post(inferencePaths.edits, { ...editFields, image: pngUri })),
  'an edit has a mask': editing((client) => {
    const form = formOf(editFields, [pngOf()])
    form.append('mask', new Blob([new Uint8Array(pngOf())]), 'mask.png')
    return client.post(inferencePaths.edits, form)
  }),
  'an edit has no image': editing((client) => client.post(inferencePaths.edits, formOf(editFields, []))),
  'there are nine images': async (world) => {
    const client = world.as(await world.createClient())
    const files = Array.from({ length: 9 }, () => pngOf())
    const images = files.map(() => ({ type: 'image_url', image_url: { url: pngUri } }))
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'Join them' }, ...images] }]
    return {
      ask: onInference((endpoint) =>
        endpoint === 'edits'
          ? client.post(inferencePaths.edits, formOf(editFields, files))
          : call(client, endpoint, { model: 'acme/picture', fields: { messages, modalities: ['image'] } }),
      ),
    }
  },
  'an image is over 10 MB': editing((client) => {
    // Its pixels are not compressed, so it has slightly more bytes than pixels.
    const image = pngOf({ width: 4_096, height: 2_560 })
    return client.post(inferencePaths.edits, formOf(editFields, [image]))
  }),
}

const editFields = { model: 'acme/picture', prompt: 'Bluer' }

/** Requests a model that differs from the chat model. */
function ofModel(model: string, differences: JsonRecord, fields: (endpoint: Inference) => JsonRecord): Situation {
  return async (world) => {
    await world.addModels([{ ...talkModel(model), ...differences }])
    const client = world.as(await world.createClient())
    const asked = (endpoint: Inference): Asked => ({ model, fields: fields(endpoint) })
    return { ask: async (name) => [await call(client, inferenceNamed(name), asked(inferenceNamed(name)))] }
  }
}

function editing(ask: (client: Client) => ReturnType<Client['post']>): Situation {
  return async (world) => {
    const client = world.as(await world.createClient())
    return { ask: onInference(() => ask(client)) }
  }
}

function toolOf(endpoint: Inference): JsonRecord {
  const parameters = { type: 'object', properties: {} }
  if (endpoint === 'messages') return { name: 'look', input_schema: parameters }
  if (endpoint === 'responses') return { type: 'function', name: 'look', parameters }
  return { type: 'function', function: { name: 'look', parameters } }
}
