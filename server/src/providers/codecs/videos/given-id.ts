import { type JsonObject, stringAt } from '#lib/json.ts'
import { UnusableAnswerError } from '../faults.ts'

/** The upstream's id of an accepted job. Without it the job cannot be polled. */
export function givenId(answer: JsonObject, member: string): string {
  const id = stringAt(answer, member)
  if (id === undefined || id === '')
    throw new UnusableAnswerError('The upstream accepted the job but returned no job id.')
  return id
}

/** A member of the data stored with a job. */
export function storedText(reference: JsonObject, member: string): string {
  const text = stringAt(reference, member)
  if (text === undefined) throw new TypeError(`the job reference has no ${member}`)
  return text
}
