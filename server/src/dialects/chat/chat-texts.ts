import { changeContentOf } from '../texts/change-content.ts'
import { changeItems, changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'

/** Messages of every role, results of tools among them. */
export const chatTexts = textAccess((body, change) =>
  changeMember(body, 'messages', (messages) => changeItems(messages, (message) => changeContentOf(message, change))),
)
