import { isEssential } from '#domain/inference/essential-fields.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { overrideCommand } from '#domain/routing/override-command.ts'
import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/json.ts'
import type { MediaRequest } from '#providers/codecs/exchange-script.ts'
import { namedFieldIn } from './named-field.ts'

/** The command that fixes an error which names a field of the request; null if it names none. */
export function suggestOverride(
  { account, upstreamModel }: Candidate,
  { body }: Pick<MediaRequest, 'body'>,
  words: readonly string[],
): string | null {
  const text = typeof body === 'string' ? body : body.filter((piece) => typeof piece === 'string').join('')
  const sent = parseJsonObject(text)
  if (sent === undefined) return null
  const named = { account: account.name, model: upstreamModel }
  if (sent.max_tokens !== undefined && words.some((each) => /\bmax_completion_tokens\b/.test(each))) {
    return overrideCommand({ ...named, option: 'output-cap', value: 'max_completion_tokens' })
  }
  for (const each of words) {
    const field = namedFieldIn(each)
    const path = field === undefined ? undefined : pathOf(sent, field)
    if (path !== undefined && !isEssential(path)) return overrideCommand({ ...named, option: 'leave-out', value: path })
  }
  return null
}

/** The path of a field with that name: at the top, or one object deeper. */
function pathOf(sent: JsonObject, field: string): string | undefined {
  if (Object.hasOwn(sent, field)) return field
  const [holder] = Object.entries(sent).find(([, value]) => isJsonObject(value) && Object.hasOwn(value, field)) ?? []
  return holder === undefined ? undefined : `${holder}.${field}`
}
