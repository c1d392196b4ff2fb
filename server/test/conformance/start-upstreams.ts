import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import { anthropicStream } from '#test/simulators/protocols/anthropic/anthropic-stream.ts'
import { geminiStream } from '#test/simulators/protocols/gemini/gemini-stream.ts'
import type { TestGateway } from '#test/setup/gateway.ts'
import { startControl } from '#test/simulators/start-control.ts'
import { startSimulator } from '#test/simulators/start-simulator.ts'

export interface Upstreams {
  /** Where a client can read what the simulated Claude was sent. */
  readonly claudeControlUrl: string
  close(): Promise<void>
}

/** Three vendors at a price: one echoes in OpenAI's form, Claude thinks and calls a tool, Gemini streams a thought and a text. */
export async function startUpstreams(gateway: TestGateway): Promise<Upstreams> {
  const openai = await startSimulator()
  const answer = anthropicAnswers['thinking-then-tool']
  const claude = await startSimulator({
    scenario: { kind: 'by-request', stream: anthropicStream(answer), json: anthropicDocument(answer) },
  })
  const gemini = await startSimulator({
    scenario: geminiStream({ kind: 'thoughts', thoughts: ['H', 'm'], pieces: ['Hel', 'lo'], signature: 'c2lnbmVk' }),
  })
  const control = await startControl(claude)
  await gateway.addProvider({ vendor: 'openai', url: `${openai.url}/v1`, pattern: 'openai/*' })
  await gateway.addProvider({ vendor: 'anthropic', url: claude.url, pattern: 'anthropic/*' })
  await gateway.addProvider({ vendor: 'google-ai-studio', url: `${gemini.url}/v1beta`, pattern: 'google/*' })
  return {
    claudeControlUrl: control.url,
    close: async () => {
      control.close()
      await Promise.all([openai.close(), claude.close(), gemini.close()])
    },
  }
}
