import { APIError } from 'better-auth/api'
import { isMailAddress } from '#lib/mail-address.ts'

const nameLengthMax = 200

/** A person has an address that may stand in an envelope, and a name that fits a line. */
export function judgePerson(person: { email?: string | undefined; name?: string | undefined }): void {
  if (person.email !== undefined && !isMailAddress(person.email)) {
    throw new APIError('BAD_REQUEST', { code: 'INVALID_EMAIL', message: 'This is not a mail address.' })
  }
  if (person.name !== undefined && (person.name.length > nameLengthMax || /\p{Cc}/u.test(person.name))) {
    throw new APIError('BAD_REQUEST', { code: 'INVALID_NAME', message: 'The name must be one line.' })
  }
}
