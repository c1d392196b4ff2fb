import { isJsonObject, type JsonObject } from '#lib/json.ts'

export const endUserCharsMax = 256

/**
 * The client's own id of its user, for the record: `metadata.user_id` of Messages, `user` elsewhere. A longer id is
 * left out, not cut off, because its beginning could be the id of another user.
 */
export function endUserOf(endpoint: string, body: JsonObject): { readonly endUser?: string } {
  const said = endpoint === 'messages' ? inMetadata(body) : body['user']
  if (typeof said !== 'string' || said === '' || said.length > endUserCharsMax) return nothing
  return { endUser: said }
}

const nothing = {}

function inMetadata({ metadata }: JsonObject) {
  return metadata !== undefined && isJsonObject(metadata) ? metadata['user_id'] : undefined
}
