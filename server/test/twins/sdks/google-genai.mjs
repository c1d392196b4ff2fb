import { GoogleGenAI } from '@google/genai'
import { failureOf, weatherSchema } from './samples.mjs'

const clientOf = ({ key }) => new GoogleGenAI({ apiKey: key, httpOptions: { retryOptions: { attempts: 1 } } })
const asked = {
  model: 'gemini-2.5-flash',
  contents: [{ role: 'user', parts: [{ text: 'Say hello' }] }],
  config: { systemInstruction: { parts: [{ text: 'Be brief.' }] }, maxOutputTokens: 40, temperature: 0.5 },
}
const declaration = {
  name: 'get_weather',
  description: 'The weather of a city',
  parametersJsonSchema: weatherSchema,
}

export const chat = async (upstream) => replyOf([await clientOf(upstream).models.generateContent(asked)])
export const errors = (upstream) => failureOf(() => clientOf(upstream).models.generateContent(asked))
export const stream = async (upstream) =>
  replyOf(await Array.fromAsync(await clientOf(upstream).models.generateContentStream(asked)))

export async function tools(upstream) {
  const config = {
    ...asked.config,
    tools: [{ functionDeclarations: [declaration] }],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
  }
  return replyOf([await clientOf(upstream).models.generateContent({ ...asked, config })])
}

const vertexOf = ({ key }) =>
  new GoogleGenAI({
    vertexai: true,
    project: 'acme',
    location: 'us-central1',
    apiVersion: 'v1',
    googleAuthOptions: { authClient: tokenClient(key) },
  })

export const vertexChat = async (upstream) => replyOf([await vertexOf(upstream).models.generateContent(asked)])

// Google's library would call a token server; the gateway also gets its token directly.
const tokenClient = (key) => ({
  getRequestHeaders: async () => new Headers({ authorization: `Bearer ${key}` }),
  getAccessToken: async () => ({ token: key }),
  credentials: {},
  on: () => undefined,
})

function replyOf(frames) {
  const parts = frames.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const usage = frames.findLast(({ usageMetadata }) => usageMetadata?.promptTokenCount !== undefined)?.usageMetadata
  const thoughts = usage.thoughtsTokenCount ?? 0
  return {
    text: parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join(''),
    thinking: parts.map(({ text, thought }) => (thought ? (text ?? '') : '')).join(''),
    calls: parts.flatMap(({ functionCall: call }) => (call ? [{ name: call.name, arguments: call.args }] : [])),
    finish: frames.findLast(({ candidates }) => candidates?.[0]?.finishReason)?.candidates[0].finishReason,
    usage: {
      prompt: usage.promptTokenCount,
      cached: usage.cachedContentTokenCount ?? 0,
      completion: (usage.candidatesTokenCount ?? 0) + thoughts,
      reasoning: thoughts,
    },
  }
}

export async function embeddings(upstream) {
  const contents = ['one', 'two words']
  const config = { outputDimensionality: 4, taskType: 'RETRIEVAL_QUERY' }
  const { embeddings: made } = await clientOf(upstream).models.embedContent({
    model: 'gemini-embedding-001',
    contents,
    config,
  })
  return { vectors: made.map(({ values }) => values) }
}

export async function vertexEmbeddings(upstream) {
  const { embeddings: made } = await vertexOf(upstream).models.embedContent({
    model: 'text-embedding-005',
    contents: ['one', 'two words'],
    config: { outputDimensionality: 256, taskType: 'RETRIEVAL_QUERY' },
  })
  const tokens = made.reduce((sum, { statistics }) => sum + statistics.tokenCount, 0)
  return { vectors: made.map(({ values }) => values), tokens }
}

export async function vertexContents(upstream) {
  const { embeddings: made } = await vertexOf(upstream).models.embedContent({
    model: 'gemini-embedding-2',
    contents: ['two words'],
    config: { outputDimensionality: 256, taskType: 'RETRIEVAL_QUERY' },
  })
  return { vectors: made.map(({ values }) => values), tokens: made[0].statistics.tokenCount }
}

export async function vertexImagen(upstream) {
  const { generatedImages } = await vertexOf(upstream).models.generateImages({
    model: 'imagen-4.0-generate-001',
    prompt: 'a fox',
    config: { numberOfImages: 2, aspectRatio: '16:9', imageSize: '2K' },
  })
  return { images: generatedImages.map(({ image }) => image.imageBytes) }
}

export const images = (upstream) => drawnBy(clientOf(upstream))
export const vertexImages = (upstream) => drawnBy(vertexOf(upstream))

async function drawnBy(client) {
  const { candidates } = await client.models.generateContent({
    model: 'gemini-2.5-flash-image',
    contents: [{ role: 'user', parts: [{ text: 'a fox' }] }],
    config: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '16:9' } },
  })
  const { parts } = candidates[0].content
  return { images: parts.flatMap(({ inlineData }) => (inlineData ? [inlineData.data] : [])) }
}

export const speech = (upstream) => spokenBy(clientOf(upstream), 'gemini-2.5-flash-preview-tts')
export const vertexSpeech = (upstream) => spokenBy(vertexOf(upstream), 'gemini-2.5-flash-tts')

async function spokenBy(client, model) {
  const { candidates } = await client.models.generateContent({
    model,
    contents: [{ role: 'user', parts: [{ text: 'Hello there' }] }],
    config: {
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
    },
  })
  return { base64: candidates[0].content.parts[0].inlineData.data }
}

export async function vertexVideos(upstream) {
  const client = vertexOf(upstream)
  const submitted = await client.models.generateVideos({
    model: 'veo-3.1-generate-001',
    source: { prompt: 'A paper boat' },
    config: { aspectRatio: '16:9', resolution: '720p', durationSeconds: 8, numberOfVideos: 1 },
  })
  const { done, response } = await client.operations.getVideosOperation({ operation: submitted })
  return { status: done ? 'made' : 'working', videos: response.generatedVideos.map(({ video }) => video.videoBytes) }
}

export async function videos(upstream) {
  const client = clientOf(upstream)
  const { id } = await client.interactions.create({
    model: 'gemini-omni-1.1-flash',
    input: 'A paper boat',
    background: true,
    store: true,
    response_format: { type: 'video', delivery: 'uri', duration: '8s', aspect_ratio: '16:9', resolution: '720p' },
    generation_config: { video_config: { task: 'text_to_video' } },
  })
  const { status, steps } = await client.interactions.get(id)
  const contents = steps.flatMap(({ content = [] }) => content)
  return { status: status === 'completed' ? 'made' : 'working', urls: contents.map(({ uri }) => uri) }
}
