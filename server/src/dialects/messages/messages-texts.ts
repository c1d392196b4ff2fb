import { changeContent, changeContentOf } from '../texts/change-content.ts'
import { changeItems, changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'

/** The system prompt and the messages, with what tools gave. */
export const messagesTexts = textAccess((body, change) => {
  const changed = changeMember(body, 'system', (system) => changeContent(system, change))
  return changeMember(changed, 'messages', (messages) =>
    changeItems(messages, (message) => changeContentOf(message, change)),
  )
})
