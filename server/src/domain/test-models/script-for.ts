import type { JsonObject } from '#lib/json.ts'
import { answerFor } from './answer-for.ts'
import { errorScript } from './error-script.ts'
import { parseTestId } from './parse-test-id.ts'
import type { Script } from './script.ts'
import { scriptOfJson } from './script-of-json.ts'
import { scriptOfStream } from './script-of-stream.ts'

/** The same model and the same body always give the same script. */
export function scriptFor(modelName: string, body: JsonObject): Script {
  const id = parseTestId(modelName)
  if (id === undefined) return errorScript(404, `There is no test model ${modelName}.`)
  const reply = answerFor(id, body)
  if (reply.kind === 'error') return errorScript(reply.status, reply.message)
  return body.stream === true ? scriptOfStream(modelName, reply.answer) : scriptOfJson(modelName, reply.answer)
}
