import { expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { noteOutput } from './note-output.ts'
import type { ResponseState } from './response-object.ts'

const output = [{ type: 'message', id: 'msg_1' }]

it.each<[ResponseState['status'], string | undefined, boolean]>([
  ['completed', undefined, true],
  ['incomplete', 'max_output_tokens', true],
  ['incomplete', 'content_filter', false],
  ['failed', undefined, false],
  ['in_progress', undefined, false],
])('[V3] hands on the items of an answer that is %s (%s): %s', (status, incompleteReason, isNoted) => {
  const noted: (readonly JsonObject[])[] = []
  const state = { status, output, ...(incompleteReason === undefined ? {} : { incompleteReason }) }
  noteOutput({ noteOutput: (items) => noted.push(items) }, state)
  expect(noted).toEqual(isNoted ? [output] : [])
  expect(() => noteOutput({}, state)).not.toThrow()
})
