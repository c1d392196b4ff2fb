import { userInfo } from 'node:os'
import type { Actor } from '#domain/audit/audit-entry.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { UsageError } from './command.ts'

const nameForm = /^[^\p{Cc}]{1,200}$/u

/** Who runs the command: `WEIR_OPERATOR`, such as an email address, or else the user of the operating system. */
export function commandActor(): Actor {
  const name = process.env['WEIR_OPERATOR']?.trim() || systemUser()
  if (!nameForm.test(name)) throw new UsageError('WEIR_OPERATOR must be a name of at most 200 plain characters.')
  return { kind: 'operator', id: null, name }
}

/** Changes of a command belong to no request. */
export function commandAuthor(nowMs: number): ChangeAuthor {
  return { actor: commandActor(), requestId: null, nowMs }
}

/** Containers often run as a user without a name. */
function systemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
