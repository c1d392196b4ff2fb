import { responsesDialect } from '#dialects/responses/responses-dialect.ts'
import { shownResponse } from '#dialects/responses/shown-response.ts'
// Not an expectation: the fuzzer runs it.
import { storedState } from '#dialects/responses/stored-state.ts'
import { parseJsonBody } from '#http/parse-json-body.ts'
import { itemPageOf } from '#http/responses/item-page.ts'
import { isJsonObject } from '#lib/json.ts'
import { ensure, unlessRefused } from '../engine/expect.ts'
import { mutateJson } from '../engine/mutate-json.ts'
import type { FuzzTarget } from '../target.ts'

const context = { id: 'gen-01975f3e000070008000000000000000', createdS: 0, model: 'm', excludeReasoning: false }

/** A body is stored, continued by itself and shown, or it is rejected. */
export const storageTargets: readonly FuzzTarget[] = [
  {
    name: 'stored-responses',
    runs: 10_000,
    mutate: mutateJson,
    run: (input) => {
      const body = unlessRefused(() => parseJsonBody(input))
      if (body === undefined) return
      const storage = unlessRefused(() => storedState.asked(body, input.length % 2 === 0))
      if (storage === undefined || storage === null) return
      const plain = storedState.continued(body, null)
      ensure(!('previous_response_id' in plain) && plain.store !== true, 'nothing asks for storage any more')
      const items = storedState.inputItems(plain, context)
      const named = items.filter(isJsonObject)
      ensure(
        named.every(({ id }) => typeof id === 'string' && id !== ''),
        'each item has an id',
      )
      const response: unknown = JSON.parse(storedState.queued({ ...context, requestBody: plain, storage }))
      ensure(isJsonObject(response), 'a response is an object')
      for (const state of ['running', 'lapsed', 'ended', 'cancelled'] as const) shownResponse(response, state)
      const again = storedState.continued(plain, { input: items, response: { output: items } })
      const whole = storedState.inputItems(again, context)
      ensure(whole.length >= 2 * named.length, 'no item is lost')
      const { data } = itemPageOf(whole.filter(isJsonObject), { limit: '100', order: 'asc' })
      ensure(Array.isArray(data) && data.length === Math.min(100, whole.filter(isJsonObject).length), 'a page is full')
      unlessRefused(() => responsesDialect.parse(again))
    },
  },
]
