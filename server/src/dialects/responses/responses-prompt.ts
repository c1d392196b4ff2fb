import { addText, collectMatter, type PromptMatter, tokensPerMessage } from '#domain/inference/prompt-matter.ts'
import { addAudio, addFile, addImage, addUncounted, addVideo, isMediaType } from '#domain/inference/prompt-media.ts'
import { isJsonObject, type JsonValue, stringAt } from '#lib/json.ts'
import { type ItemBindings, type PromptAccess, unbound } from '#dialects/prompt-access.ts'

/** Items, and the other fields that upstreams add to the prompt. */
export const responsesPrompt: PromptAccess = {
  measure: (body) =>
    collectMatter((matter) => {
      for (const item of responsesPrompt.items(body)) addItem(matter, item)
      for (const name of promptFields) addText(matter, body[name])
    }),
  items: ({ input }) => (Array.isArray(input) ? input : [input ?? '']),
  withItems: (body, items) => ({ ...body, input: [...items] }),
  measureItem: (item) => collectMatter((matter) => addItem(matter, item)),
  bindings: bindingsOf,
}

const promptFields = ['instructions', 'tools', 'text', 'response_format']

function addItem(matter: PromptMatter, item: JsonValue): void {
  matter.tokens += tokensPerMessage
  if (!isJsonObject(item)) return addText(matter, item)
  if (item.type === 'image_generation_call') return addImage(matter)
  for (const [key, value] of Object.entries(item)) {
    if (unread.has(key)) continue
    if ((key === 'content' || key === 'output') && Array.isArray(value)) {
      for (const block of value) addBlock(matter, block)
    } else addText(matter, value)
  }
}

const unread = new Set(['type', 'role', 'id', 'status'])

function addBlock(matter: PromptMatter, block: JsonValue): void {
  if (!isJsonObject(block)) return addText(matter, block)
  switch (block.type) {
    case 'input_image':
      return addImage(matter)
    case 'input_file':
      return addFile(matter, stringAt(block, 'file_data'))
    case 'input_audio':
      return addAudio(matter, isJsonObject(block.input_audio) ? stringAt(block.input_audio, 'data') : undefined)
    case 'input_video':
      return addVideo(matter)
    default:
      addText(matter, block.text ?? block)
      if (isMediaType(block.type)) addUncounted(matter, 0)
  }
}

function bindingsOf(item: JsonValue): ItemBindings {
  if (!isJsonObject(item)) return unbound
  switch (item.type) {
    case 'reasoning':
      return { ...unbound, leansOnNext: true }
    case 'function_call':
    case 'custom_tool_call':
      return { ...unbound, opens: [stringAt(item, 'call_id') ?? ''] }
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { ...unbound, closes: [stringAt(item, 'call_id') ?? ''] }
    default:
      return { ...unbound, isInstruction: item.role === 'system' || item.role === 'developer' }
  }
}
