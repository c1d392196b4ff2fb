import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import { geminiStream } from '#test/simulators/protocols/gemini/gemini-stream.ts'
import { realtimeModel } from '#test/realtime/realtime-model.ts'
import { addModels } from '#test/setup/add-models.ts'
import type { TestGateway } from '#test/setup/gateway.ts'
import { openAiAudioUpstream } from '#test/simulators/media/audio/openai-audio.ts'
import { gptImageUsage, playOpenAiImages } from '#test/simulators/media/images/openai-images.ts'
import { startControl } from '#test/simulators/start-control.ts'
import { startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { startRealtimeUpstream } from '#test/simulators/realtime/realtime-upstream.ts'
import { startSimulator } from '#test/simulators/start-simulator.ts'

interface Upstreams {
  /** The URLs where a client can read the requests to the simulated Claudes. */
  readonly claudeControlUrls: { readonly calling: string; readonly talking: string }
  close(): Promise<void>
}

/**
 * Priced vendors: one echoes in OpenAI's format; one Claude thinks and calls a tool, another thinks and talks; Gemini
 * streams a thought and a text; one speaks noise and hears the same words in everything, and one draws.
 */
export async function startUpstreams(gateway: TestGateway): Promise<Upstreams> {
  const openai = await startSimulator()
  const calling = await startClaude('thinking-then-tool')
  const talking = await startClaude('thinking-then-text')
  const gemini = await startSimulator({
    scenario: geminiStream({ kind: 'thoughts', thoughts: ['H', 'm'], pieces: ['Hel', 'lo'], signature: 'c2lnbmVk' }),
  })
  const audio = await startMediaUpstream(openAiAudioUpstream)
  const realtime = await startRealtimeUpstream()
  const images = await startMediaUpstream(playOpenAiImages({ usage: gptImageUsage }))
  await gateway.addProvider({ vendor: 'openai', url: `${openai.url}/v1`, pattern: 'openai/*' })
  const claudes = { vendor: 'anthropic', pattern: 'anthropic/claude-sonnet-4.6', url: calling.url, name: 'calling' }
  await gateway.addProvider(claudes)
  await gateway.addProvider({ ...claudes, pattern: 'anthropic/claude-haiku-4.5', url: talking.url, name: 'talking' })
  // This upstream ranks before the one that echoes, which cannot speak.
  const voices = { url: `${audio.url}/v1`, name: 'audio', priority: -1 }
  await gateway.addProvider({ ...voices, vendor: 'openai', pattern: 'openai/tts-1' })
  await gateway.addProvider({ ...voices, vendor: 'groq', name: 'ear', pattern: 'openai/whisper-large-v3' })
  const talks = { vendor: 'openai', url: `${realtime.url}/v1`, name: 'realtime', priority: -1 }
  await gateway.addProvider({ ...talks, pattern: 'openai/gpt-realtime' })
  await addModels(gateway, [realtimeModel('openai/gpt-realtime')])
  const draws = { vendor: 'openai', url: `${images.url}/v1`, name: 'images', priority: -1 }
  await gateway.addProvider({ ...draws, pattern: 'openai/gpt-image-1.5' })
  await gateway.addProvider({ vendor: 'google-ai-studio', url: `${gemini.url}/v1`, pattern: 'google/*' })
  return {
    claudeControlUrls: { calling: calling.controlUrl, talking: talking.controlUrl },
    close: async () => {
      await Promise.all([openai, calling, talking, gemini, audio, realtime, images].map((upstream) => upstream.close()))
    },
  }
}

async function startClaude(name: 'thinking-then-tool' | 'thinking-then-text') {
  const answer = anthropicAnswers[name]
  const simulator = await startSimulator({
    scenario: { kind: 'by-request', stream: anthropicStream(answer), json: anthropicDocument(answer) },
  })
  const control = await startControl(simulator)
  return {
    url: simulator.url,
    controlUrl: control.url,
    close: async () => {
      control.close()
      await simulator.close()
    },
  }
}
