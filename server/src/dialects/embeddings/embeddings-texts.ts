import { isJsonObject, type JsonValue } from '#lib/json.ts'
import { changeContentOf, type TextChange } from '../texts/change-content.ts'
import { changeItems, changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'

/** Every text that is to be turned into a vector, by itself or as part of an item. Token ids are none. */
export const embeddingsTexts = textAccess((body, change) =>
  changeMember(body, 'input', (input) =>
    Array.isArray(input) ? changeItems(input, (item) => changeInput(item, change)) : changeInput(input, change),
  ),
)

function changeInput(input: JsonValue, change: TextChange): JsonValue {
  if (typeof input === 'string') return change(input)
  return isJsonObject(input) ? changeContentOf(input, change) : input
}
