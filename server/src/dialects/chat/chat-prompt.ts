import { addText, collectMatter, type PromptMatter, tokensPerMessage } from '#domain/inference/prompt-matter.ts'
import { addAudio, addFile, addImage, addUncounted, addVideo, isMediaType } from '#domain/inference/prompt-media.ts'
import { isJsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import { type ItemBindings, type PromptAccess, unbound } from '../prompt-access.ts'

/** Messages, and the other fields that upstreams add to the prompt. */
export const chatPrompt: PromptAccess = {
  measure: (body) =>
    collectMatter((matter) => {
      for (const message of chatPrompt.items(body)) addMessage(matter, message)
      for (const name of promptFields) addText(matter, body[name])
    }),
  items: ({ messages }) => (Array.isArray(messages) ? messages : []),
  withItems: (body, items) => ({ ...body, messages: [...items] }),
  measureItem: (message) => collectMatter((matter) => addMessage(matter, message)),
  bindings: bindingsOf,
}

const promptFields = ['tools', 'functions', 'response_format', 'prediction']

function addMessage(matter: PromptMatter, message: JsonValue): void {
  matter.tokens += tokensPerMessage
  if (!isJsonObject(message)) return
  const { content } = message
  if (Array.isArray(content)) for (const part of content) addPart(matter, part)
  else addText(matter, content)
  for (const key of Object.keys(message)) if (key !== 'role' && key !== 'content') addText(matter, message[key])
  // The client refers to an earlier audio response by its id only.
  if (isJsonObject(message.audio)) addUncounted(matter, 0)
}

function addPart(matter: PromptMatter, part: JsonValue): void {
  if (!isJsonObject(part)) return
  switch (part.type) {
    case 'text':
      if (typeof part.text === 'string') addText(matter, part.text)
      return
    case 'image_url':
      return addImage(matter)
    case 'file':
      return addFile(matter, textIn(part.file, 'file_data'))
    case 'input_audio':
      return addAudio(matter, textIn(part.input_audio, 'data'))
    case 'video_url':
      return addVideo(matter)
    // An unknown part may still be read and charged for by the upstream.
    default:
      addText(matter, part)
      if (isMediaType(part.type)) addUncounted(matter, 0)
  }
}

function textIn(holder: JsonValue | undefined, key: string): string | undefined {
  return isJsonObject(holder) ? stringAt(holder, key) : undefined
}

function bindingsOf(message: JsonValue): ItemBindings {
  if (!isJsonObject(message)) return unbound
  if (message.role === 'system' || message.role === 'developer') return { ...unbound, isInstruction: true }
  // Legacy function calls have no ids; their results follow immediately.
  if (message.role === 'assistant') {
    return { ...unbound, opens: callIds(message.tool_calls), leansOnNext: isJsonObject(message.function_call) }
  }
  return message.role === 'tool' ? { ...unbound, closes: [stringAt(message, 'tool_call_id') ?? ''] } : unbound
}

function callIds(calls: JsonValue | undefined): string[] {
  if (!Array.isArray(calls)) return []
  return calls.flatMap((call) => (isJsonObject(call) ? (stringAt(call, 'id') ?? []) : []))
}
