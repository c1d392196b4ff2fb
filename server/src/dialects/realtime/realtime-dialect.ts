import type { Model } from '#domain/catalogue/model.ts'
import { errorBody, GatewayError } from '#errors/gateway-error.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import type { DialectCall, MediaDialect } from '../dialect.ts'
import { changeContentOf, changeText, type TextChange } from '../texts/change-content.ts'
import { changeItems, changeMember } from '../texts/change-member.ts'
import { textAccess } from '../texts/text-access.ts'
import { parseRealtime } from './parse-realtime.ts'

/** One response of a session in OpenAI's Realtime API. The session relays its events itself. */
export const realtimeDialect: MediaDialect = {
  family: 'media',
  name: 'realtime',
  parse: parseRealtime,
  refuseUnfit,
  ...textAccess((body, change) => changeMember(body, 'event', (event) => changeEvent(event, change))),
  render: () => {
    throw new TypeError('a session relays its events itself')
  },
  failFrames: () => null,
  keepAlive: null,
  errorBody: (error) => JSON.stringify(errorBody(error)),
}

function refuseUnfit(_call: DialectCall, model: Model): void {
  if (model.kind === 'realtime') return
  throw new GatewayError('modelEndpointMismatch', { message: `"${model.id}" has no realtime sessions.` })
}

/** Instructions of a session or a response, and the texts of items. */
function changeEvent(event: JsonValue, change: TextChange): JsonValue {
  if (!isJsonObject(event)) return event
  const configured = ['session', 'response'].reduce(
    (changed, name) => changeMember(changed, name, (settings) => changeSettings(settings, change)),
    event,
  )
  return changeMember(configured, 'item', (item) => changeItem(item, change))
}

function changeSettings(settings: JsonValue, change: TextChange): JsonValue {
  if (!isJsonObject(settings)) return settings
  const instructed = changeMember(settings, 'instructions', (text) => changeText(text, change))
  return changeMember(instructed, 'input', (input) => changeItems(input, (item) => changeItem(item, change)))
}

function changeItem(item: JsonValue, change: TextChange): JsonValue {
  if (!isJsonObject(item)) return item
  const said = changeContentOf(item, change)
  if (!isJsonObject(said)) return said
  const heard = changeMember(said, 'content', (content) =>
    changeItems(content, (part) =>
      isJsonObject(part) ? changeMember(part, 'transcript', (text) => changeText(text, change)) : part,
    ),
  )
  return ['output', 'arguments'].reduce(
    (changed, name) => changeMember(changed, name, (text) => changeText(text, change)),
    heard,
  )
}
