import type { Part, ToolResultPart } from '#domain/inference/parts.ts'
import type { JsonObject } from '#lib/json.ts'
import { ownCallId } from './call-ids.ts'
import { parseShallowObject } from './parse-shallow-object.ts'
import { plainPart } from './plain-part.ts'

/**
 * Results come first and in the order of their calls, because they must directly follow them and are matched by order
 * if they have no ids. Media of a result come after all of them.
 */
export function buildUserParts(parts: readonly Part[], calls: ReadonlyMap<string, KnownCall>): JsonObject[] {
  const positionOf = ({ callId }: ToolResultPart): number => calls.get(callId)?.position ?? -1
  const results = parts
    .filter((part) => part.kind === 'tool-result')
    .toSorted((left, right) => positionOf(left) - positionOf(right))
  const shown = results.flatMap(({ content }) => content).filter(({ kind }) => kind !== 'text')
  return [
    ...results.map((result) => functionResponse(result, calls.get(result.callId))),
    ...[...shown, ...parts].flatMap(plainPart),
  ]
}

export interface KnownCall {
  readonly name: string
  /** Position among all calls of the conversation. */
  readonly position: number
}

function functionResponse(result: ToolResultPart, call: KnownCall | undefined): JsonObject {
  const id = ownCallId(result.callId)
  return {
    functionResponse: {
      // A result without its call is the client's mistake. The upstream explains it better than we could.
      name: call?.name ?? result.callId,
      response: responseOf(result),
      ...(id === undefined ? {} : { id }),
    },
  }
}

/** An object is the result itself. Anything else is put under the names that Gemini reads. */
function responseOf({ content, isError }: ToolResultPart): JsonObject {
  const text = content.map((part) => (part.kind === 'text' ? part.text : '')).join('')
  if (isError === true) return { error: text }
  return parseShallowObject(text) ?? { output: text }
}
