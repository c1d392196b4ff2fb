import type { ConversationItem } from '#domain/inference/middle-out.ts'
import type { PromptMatter } from '#domain/inference/prompt-matter.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'

/** Measures a body's prompt and shortens its conversation. */
export interface PromptAccess {
  /** Everything that becomes part of the prompt. */
  measure(body: JsonObject): PromptMatter
  /** The conversation, oldest first. */
  items(body: JsonObject): readonly JsonValue[]
  withItems(body: JsonObject, items: readonly JsonValue[]): JsonObject
  measureItem(item: JsonValue): PromptMatter
  bindings(item: JsonValue): ItemBindings
}

export type ItemBindings = Omit<ConversationItem, 'tokens'>

export const unbound: ItemBindings = { isInstruction: false, opens: [], closes: [], leansOnNext: false }
