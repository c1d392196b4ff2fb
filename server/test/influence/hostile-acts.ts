import type { JsonObject } from '#test/simulators/json-value.ts'
import type { StepsScenario } from '#test/simulators/scenario.ts'
import type { Host, Said } from './hosts.ts'

/**
 * A request of a hostile tenant, and the upstream's response: it repeats as much of the tenant's text as an upstream
 * ever does.
 */
export interface HostileAct {
  readonly label: string
  /** Part of the request, so that the upstream can identify it. */
  readonly mark: string
  readonly path: string
  readonly body: JsonObject
  readonly refusal: StepsScenario
}

/** Every known form of an error response, for the fields that the victim's upstream receives. */
export function hostileActs(host: Host, fields: readonly string[]): HostileAct[] {
  return fields.flatMap((name, row) =>
    forms.map((form, column) => {
      const said = form(name)
      const mark = `hostile-${host.name}-${row}-${column}-`
      return {
        label: `${host.name}: ${JSON.stringify(said)}`,
        mark,
        ...callOf(host, { name, said, mark, turn: row * forms.length + column }),
        refusal: host.refuse(said),
      }
    }),
  )
}

/** The essential fields of every protocol, whether or not this upstream receives them. */
export const neverSent = [
  'systemInstruction',
  'generationConfig',
  'instructions',
  'system',
  'max_tokens',
  'store',
  'inferenceConfig',
]

const forms: readonly ((name: string) => Said)[] = [
  (name) => ({ message: 'No.', param: name, code: 'unknown_parameter' }),
  (name) => ({ message: 'No.', param: `${name}.effort`, code: 'unsupported_parameter' }),
  (name) => ({ message: `Unknown parameter: '${name}'.` }),
  (name) => ({ message: `Invalid value: 'Unknown parameter: '${name}''.`, param: 'reasoning.effort' }),
  (name) => ({ message: `Unrecognized request argument supplied: ${name}` }),
  (name) => ({ message: `Unsupported parameter: '${name}' is not supported with this model.` }),
  (name) => ({ message: `Unsupported value: '${name}' does not support 'xhigh' with this model.`, param: name }),
  (name) => ({ message: `property '${name}' is unsupported` }),
  (name) => ({ message: `Extra inputs are not permitted, field: '${name}', value: 1` }),
  (name) => ({ message: `${name}: Extra inputs are not permitted` }),
  (name) => ({ message: `Value error, current model does not support parameter ${name}` }),
  (name) => ({ message: `Invalid JSON payload received. Unknown name "${name}" at 'safety_settings[0]'`, param: name }),
  (name) => ({ message: `\`${name}\` is deprecated for this model.` }),
  (name) => ({ message: `"${name}.type.enabled" is not supported for this model.` }),
]

export const formsCount = forms.length
const callsCount = 6

interface Hostile {
  readonly name: string
  readonly said: Said
  readonly mark: string
  readonly turn: number
}

/** The tenant requests thinking in different ways, and has the text or the name in its request or not. */
function callOf({ model }: Host, { name, said, mark, turn }: Hostile): Pick<HostileAct, 'path' | 'body'> {
  const content = Math.floor(turn / callsCount) % 2 === 0 ? mark : `${mark} ${said.message}`
  const messages = [{ role: 'user', content }]
  const calls: Pick<HostileAct, 'path' | 'body'>[] = [
    { path: '/v1/chat/completions', body: { messages, max_tokens: 1_500 } },
    { path: '/v1/chat/completions', body: { messages, max_tokens: 1_500, reasoning: { effort: 'low' } } },
    { path: '/v1/chat/completions', body: { messages, max_tokens: 1_500, reasoning_effort: said.message } },
    { path: '/v1/messages', body: { messages, max_tokens: 1_500, output_config: { effort: 'low' } } },
    { path: '/v1/responses', body: { input: content, max_output_tokens: 1_500, reasoning: { effort: 'low' } } },
    { path: '/v1/chat/completions', body: { messages, max_tokens: 1_500, reasoning_effort: 'low' } },
  ]
  const places: JsonObject[] = [{}, { safetySettings: [{ [name]: 1 }] }, { metadata: { [name]: said.message } }]
  const { path, body } = calls[turn % callsCount] ?? { path: '', body: {} }
  return { path, body: { model, ...body, ...places[Math.floor(turn / callsCount / 2) % places.length] } }
}
