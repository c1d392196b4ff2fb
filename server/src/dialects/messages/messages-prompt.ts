import { addText, collectMatter, type PromptMatter, tokensPerMessage } from '#domain/inference/prompt-matter.ts'
import { addFile, addImage, addUncounted, isMediaType } from '#domain/inference/prompt-media.ts'
import { isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import { type ItemBindings, type PromptAccess, unbound } from '../prompt-access.ts'

/** Messages, and the other fields that upstreams add to the prompt. */
export const messagesPrompt: PromptAccess = {
  measure: (body) =>
    collectMatter((matter) => {
      addContent(matter, body.system)
      for (const message of messagesPrompt.items(body)) addMessage(matter, message)
      addText(matter, body.tools)
      addText(matter, body.output_config)
    }),
  items: ({ messages }) => (Array.isArray(messages) ? messages : []),
  withItems: (body, items) => ({ ...body, messages: [...items] }),
  measureItem: (message) => collectMatter((matter) => addMessage(matter, message)),
  bindings: bindingsOf,
}

function addMessage(matter: PromptMatter, message: JsonValue): void {
  matter.tokens += tokensPerMessage
  if (isJsonObject(message)) addContent(matter, message.content)
}

function addContent(matter: PromptMatter, content: JsonValue | undefined): void {
  if (!Array.isArray(content)) addText(matter, content)
  else for (const block of content) addBlock(matter, block)
}

function addBlock(matter: PromptMatter, block: JsonValue): void {
  if (!isJsonObject(block)) return
  switch (block.type) {
    case 'text':
      return addText(matter, block.text)
    case 'thinking':
      return addText(matter, block.thinking)
    case 'redacted_thinking':
      return addText(matter, block.data)
    case 'image':
      return addImage(matter)
    case 'document':
      return addDocument(matter, block)
    case 'tool_use':
      addText(matter, block.name)
      return addText(matter, block.input)
    case 'tool_result':
      return addContent(matter, block.content)
    // An unknown block may still be read and charged for by the upstream.
    default:
      addText(matter, block)
      if (isMediaType(block.type)) addUncounted(matter, 0)
  }
}

function addDocument(matter: PromptMatter, { source }: JsonObject): void {
  if (!isJsonObject(source)) return
  if (source.type === 'content') return addContent(matter, source.content)
  if (source.type === 'text') return addText(matter, source.data)
  addFile(matter, stringAt(source, 'data'))
}

function bindingsOf(message: JsonValue): ItemBindings {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return unbound
  const opens: string[] = []
  const closes: string[] = []
  for (const block of message.content) {
    if (!isJsonObject(block)) continue
    if (block.type === 'tool_use') opens.push(stringAt(block, 'id') ?? '')
    if (block.type === 'tool_result') closes.push(stringAt(block, 'tool_use_id') ?? '')
  }
  return { ...unbound, opens, closes }
}
