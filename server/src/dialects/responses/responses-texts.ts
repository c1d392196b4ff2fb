import { isJsonObject, type JsonValue } from '#lib/json.ts'
import { changeContent, changeContentOf, changeText, type TextChange } from '../texts/change-content.ts'
import { changeItems, changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'

/** Instructions and input: a string, or items, of which messages and tool results hold text. */
export const responsesTexts = textAccess((body, change) => {
  const changed = changeMember(body, 'instructions', (instructions) => changeText(instructions, change))
  return changeMember(changed, 'input', (input) =>
    typeof input === 'string' ? change(input) : changeItems(input, (item) => changeItem(item, change)),
  )
})

function changeItem(item: JsonValue, change: TextChange): JsonValue {
  if (!isJsonObject(item)) return item
  switch (item.type ?? 'message') {
    case 'message':
      return changeContentOf(item, change)
    case 'function_call_output':
    case 'custom_tool_call_output':
      return changeMember(item, 'output', (output) => changeContent(output, change))
    // Reasoning must return exactly as it was signed, and tool calls are the model's own output.
    default:
      return item
  }
}
