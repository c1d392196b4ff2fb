import { pngUri } from '#test/media/embeddings/embeddings-world.ts'
import { type Asked, call, inferencePaths, type Inference, type JsonRecord, modelFor } from './every-call.ts'
import { inferenceNamed, onInference, type Situation } from './situation.ts'

const malformedIds = ['', 'openai/', '/x', 'a name', 'open ai/gpt', 'openai//gpt', 'openai/gpt\n', 'openai/gpt?']
const notRemote = ['ftp://example.com/a.png', 'https://', 'http://', 'example.com/a.png']
const notHttps = ['http://example.com/a.png', ...notRemote]

/** Client errors in requests. */
export const requestSituations: Readonly<Record<string, Situation>> = {
  'the model is unknown': asking((endpoint) => [{ model: modelFor(endpoint, 'nobody') }]),
  'the model id is malformed': asking((endpoint) =>
    // An empty form field counts as omitted, and edits need no model.
    malformedIds.filter((id) => id !== '' || endpoint !== 'edits').map((model) => ({ model })),
  ),
  'the model is retired': asking((endpoint) => [{ model: modelFor(endpoint, 'retired') }]),
  'the model is left out': asking((endpoint) =>
    // A form has no null.
    (endpoint === 'transcriptions' || endpoint === 'translations' ? [undefined] : [undefined, null]).map((model) => ({
      fields: { model },
    })),
  ),
  'the input is left out': asking(() => [
    { fields: { messages: undefined, input: undefined, prompt: undefined, query: undefined } },
    { fields: { messages: undefined, input: null, prompt: null, query: null } },
  ]),
  'the prompt is left out': asking(() => [{ fields: { prompt: undefined } }]),
  'the prompt is empty': asking(() => [{ prompt: '' }]),
  'the output cap is no positive integer': asking(() =>
    [0, -1, 1.5, 'many'].map((cap) => ({ fields: { max_tokens: cap } })),
  ),
  'a shown image has no URL': asking((endpoint) => notRemote.map((url) => ({ fields: imageFields(endpoint, url) }))),
  'an image has no https URL': asking((endpoint) => notHttps.map((url) => ({ fields: imageFields(endpoint, url) }))),
  'an image is none by its bytes': asking((endpoint) => [
    { fields: imageFields(endpoint, `data:image/png;base64,${Buffer.from('not an image').toString('base64')}`) },
  ]),
  'a tool result answers no call': asking((endpoint) => [{ fields: strayResult(endpoint) }]),
  'a tool has no proper name': asking(() => [
    { fields: { tools: [{ type: 'function', function: { name: 'a b', parameters: {} } }] } },
    { fields: { tools: [{ type: 'function', function: { parameters: {} } }] } },
  ]),
  'a schema of the answer has no name': asking((endpoint) => {
    const format = { type: 'json_schema', json_schema: { schema: {} } }
    const flat = { type: 'json_schema', schema: {} }
    return [{ fields: endpoint === 'responses' ? { text: { format: flat } } : { response_format: format } }]
  }),
  'the request needs a stored answer': asking(() => [
    { fields: { previous_response_id: 'resp_1' } },
    { fields: { store: true } },
  ]),
  'the number of images is none': asking(() => [0, -1, 1.5, 10_000].map((n) => ({ fields: { n } }))),
  'images are asked for as base64': asking(() => [{ fields: { response_format: 'b64_json' } }]),
  'a content part is of an unknown type': asking((endpoint) => [
    { fields: { [endpoint === 'responses' ? 'input' : 'messages']: [{ role: 'user', content: [{ type: 'zzz' }] }] } },
  ]),
  'the model makes embeddings': asking(() => [{ model: 'acme/vectors' }]),
  'the model chats': asking(() => [{ model: 'acme/talk' }]),
  'the model makes videos': asking(() => [{ model: 'acme/film' }]),
  'the model has no price': asking((endpoint) => [{ model: modelFor(endpoint, 'priceless') }]),
  'the body is not JSON': async (world) => {
    const client = world.as(await world.createClient())
    return { ask: onInference((endpoint) => client.post(inferencePaths[endpoint], '{"model": "acme/talk"')) }
  },
}

/** Sends the request in each of these ways. */
function asking(ways: (endpoint: Inference) => Asked[]): Situation {
  return async (world) => {
    const client = world.as(await world.createClient())
    return {
      ask: async (name) => {
        const endpoint = inferenceNamed(name)
        return Promise.all(ways(endpoint).map((asked) => call(client, endpoint, asked)))
      },
    }
  }
}

/** A tool result for a nonexistent call. */
function strayResult(endpoint: Inference): JsonRecord {
  if (endpoint === 'responses') return { input: [{ type: 'function_call_output', output: 'x' }] }
  if (endpoint === 'messages') {
    return { messages: [{ role: 'user', content: [{ type: 'tool_result', content: 'x' }] }] }
  }
  return { messages: [{ role: 'tool', tool_call_id: 'none', content: 'x' }] }
}

/** An image in the endpoint's format, with its text. */
export function imageFields(endpoint: Inference, url: string): JsonRecord {
  const words = 'What is this?'
  const part = { type: 'image_url', image_url: { url } }
  switch (endpoint) {
    case 'responses':
      return {
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: words },
              { type: 'input_image', image_url: url },
            ],
          },
        ],
      }
    case 'messages': {
      const image = { type: 'image', source: { type: 'url', url } }
      return { messages: [{ role: 'user', content: [{ type: 'text', text: words }, image] }] }
    }
    case 'embeddings':
      return { input: [{ content: [{ type: 'text', text: words }, part] }] }
    case 'images':
      return { image: url }
    default:
      return { messages: [{ role: 'user', content: [{ type: 'text', text: words }, part] }] }
  }
}

/** The same with an accepted image, so that only the address is at fault. */
export function servedImage(endpoint: Inference): Asked {
  return { fields: imageFields(endpoint, pngUri) }
}
