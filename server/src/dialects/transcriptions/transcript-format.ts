import { GatewayError } from '#errors/gateway-error.ts'
import type { JsonObject } from '#lib/json.ts'

export const transcriptFormats = ['json', 'verbose_json', 'text', 'srt', 'vtt'] as const
type TranscriptFormat = (typeof transcriptFormats)[number]

export function transcriptFormatOf({ response_format: asked }: JsonObject): TranscriptFormat {
  if (asked === undefined || asked === null) return 'json'
  const format = transcriptFormats.find((known) => known === asked)
  if (format !== undefined) return format
  throw new GatewayError('unsupportedResponseFormat', {
    message: `\`response_format\` must be one of ${transcriptFormats.join(', ')}.`,
  })
}
