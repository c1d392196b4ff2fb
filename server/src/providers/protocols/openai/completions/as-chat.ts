import { isJsonObject, type JsonObject, type JsonValue, parseJsonObject } from '#lib/json.ts'
import { createSseSplitter } from '#lib/sse-splitter.ts'

/** A whole text completion as a chat completion. Bytes that are no such document pass unchanged. */
export function asChatDocument(bytes: Buffer): Buffer {
  const document = parseJsonObject(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  return document === undefined ? bytes : Buffer.from(JSON.stringify(withChoices(document, 'message')))
}

/** Rewrites the events of a stream of text completions as those of a chat stream. */
export function createChatEvents(): { push(bytes: Buffer): Buffer; end(): Buffer } {
  let written: string[] = []
  const write = (payload: string): void => {
    const chunk = parseJsonObject(payload)
    written.push(`data: ${chunk === undefined ? payload : JSON.stringify(withChoices(chunk, 'delta'))}\n\n`)
  }
  const splitter = createSseSplitter({
    onEvent: (payload) => write(payload.toString('utf8').trimEnd()),
    eventBytesMax,
    onOversize: () => write(oversizeError),
  })
  const taken = (): Buffer => {
    const bytes = Buffer.from(written.join(''))
    written = []
    return bytes
  }
  return {
    push: (bytes) => {
      splitter.push(bytes)
      return taken()
    },
    end: () => {
      splitter.end()
      return taken()
    },
  }
}

const eventBytesMax = 4 * 1_024 * 1_024
const oversizeError = JSON.stringify({ error: { message: 'The upstream sent an oversized event.' } })

function withChoices(answer: JsonObject, holder: 'message' | 'delta'): JsonObject {
  const { choices } = answer
  if (!Array.isArray(choices)) return answer
  return { ...answer, choices: choices.map((choice) => chatChoice(choice, holder)) }
}

/** Mistral's choices are those of chat already. */
function chatChoice(choice: JsonValue, holder: 'message' | 'delta'): JsonValue {
  if (!isJsonObject(choice) || typeof choice.text !== 'string') return choice
  const { text, logprobs, ...rest } = choice
  const said = isJsonObject(logprobs) ? { completion_logprobs: logprobs } : {}
  return { ...rest, [holder]: { role: 'assistant', content: text, ...said } }
}
