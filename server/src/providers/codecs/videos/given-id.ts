import { type JsonObject, stringAt } from '#lib/json.ts'
import { UnusableAnswerError } from '../faults.ts'

/** How the host calls an order that it took. Without that its fate cannot be asked for. */
export function givenId(answer: JsonObject, member: string): string {
  const id = stringAt(answer, member)
  if (id === undefined || id === '')
    throw new UnusableAnswerError('The upstream accepted the job but returned no job id.')
  return id
}

/** A member of what was stored with a job. */
export function storedText(reference: JsonObject, member: string): string {
  const text = stringAt(reference, member)
  if (text === undefined) throw new TypeError(`the job reference has no ${member}`)
  return text
}
