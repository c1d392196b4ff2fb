import { isJsonObject, type JsonObject, type JsonValue, objectAt } from '#lib/json.ts'
import {
  type Fields,
  functionsOnly,
  knownFields,
  outputCap,
  textOnly,
  unsupported,
  voiceName,
  within,
} from './known-fields.ts'

/** What the gateway itself does for a session, as far as an event changes it. */
export interface SessionWishes {
  /** Whether the end of speech starts a response. The gateway starts it, once it has a hold. */
  readonly answersSpeech?: boolean
  readonly outputTokensMax?: number | null
  /** Bytes of audio for 50 ms, twice as many tokens as any model counts. */
  readonly audioBytesPerToken?: number
}

const turnDetection: Fields = {
  type: 'keep',
  threshold: 'keep',
  prefix_padding_ms: 'keep',
  silence_duration_ms: 'keep',
  eagerness: 'keep',
  interrupt_response: 'keep',
  create_response: 'keep',
  // The upstream would start responses without a hold.
  idle_timeout_ms: (value, place) => {
    if (value === null) return value
    throw unsupported(place, 'Send `response.create` when the user is silent.')
  },
}

const sessionFields: Fields = {
  type: (value, place) => {
    if (value === 'realtime') return value
    throw unsupported(place, 'The only type is `realtime`.')
  },
  instructions: textOnly,
  output_modalities: 'keep',
  tools: functionsOnly,
  tool_choice: 'keep',
  parallel_tool_calls: 'keep',
  max_output_tokens: outputCap,
  truncation: 'keep',
  reasoning: 'keep',
  audio: within({
    input: within({
      format: 'keep',
      noise_reduction: 'keep',
      turn_detection: (value, place) => (value === null ? null : knownFields(value, turnDetection, place)),
      transcription: 'drop',
    }),
    output: within({ format: 'keep', voice: voiceName, speed: 'keep' }),
  }),
  model: 'drop',
  tracing: 'drop',
  include: 'drop',
}

/** The settings that the upstream gets, and those that the gateway acts on. */
export function readSession(sent: JsonValue | undefined): { session: JsonObject; wishes: SessionWishes } {
  const session = knownFields(sent, sessionFields, 'session')
  const wishes = { ...capOf(session), ...formatOf(session) }
  const audio = objectAt(session, 'audio')
  const input = objectAt(audio, 'input')
  const detection = input.turn_detection
  if (!isJsonObject(detection)) return { session, wishes }
  const quiet = { ...detection, create_response: false }
  return {
    session: { ...session, audio: { ...audio, input: { ...input, turn_detection: quiet } } },
    wishes: { ...wishes, answersSpeech: detection.create_response !== false },
  }
}

function capOf({ max_output_tokens: cap }: JsonObject): Pick<SessionWishes, 'outputTokensMax'> {
  if (cap === undefined) return {}
  return { outputTokensMax: typeof cap === 'number' ? cap : null }
}

// 24,000 samples of 16 bits, or 8,000 samples of 8 bits, per second. No other rate is known to exist.
const [pcmBytes, telephoneBytes] = [2_400, 400]
const pcmRate = 24_000

function formatOf(session: JsonObject): Pick<SessionWishes, 'audioBytesPerToken'> {
  const { format } = objectAt(objectAt(session, 'audio'), 'input')
  if (!isJsonObject(format)) return {}
  const isPcm = format.type === 'audio/pcm' && (format.rate ?? pcmRate) === pcmRate
  return { audioBytesPerToken: isPcm ? pcmBytes : telephoneBytes }
}

/** A session as the client sees it: with its own model, and with the wish that the gateway carries out. */
export function shownSession(session: JsonObject, { model, answersSpeech }: { model: string; answersSpeech: boolean }) {
  const audio = objectAt(session, 'audio')
  const input = objectAt(audio, 'input')
  const detection = input.turn_detection
  const { client_secret: _secret, ...visible } = session
  const shown = { ...visible, model }
  if (!isJsonObject(detection)) return shown
  const told = { ...detection, create_response: answersSpeech }
  return { ...shown, audio: { ...audio, input: { ...input, turn_detection: told } } }
}
