import { spawn } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import type { MediaAnswer, MediaCall, MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { refusal } from '#test/simulators/media/audio/openai-audio.ts'

const wordsPerMinute = 175

/** Real speech in OpenAI's format; its bytes are sent as they are generated, and recorded. */
export function createEspeak(): { handler: MediaHandler; spoken: () => Buffer } {
  let pieces: Buffer[] = []
  const handler: MediaHandler = (call, response) => {
    pieces = []
    return speak(call, response, (piece) => pieces.push(piece))
  }
  return { handler, spoken: () => Buffer.concat(pieces) }
}

function speak(
  { path, json }: MediaCall,
  response: ServerResponse,
  hear: (piece: Buffer) => void,
): MediaAnswer | undefined {
  const { input, voice, speed = 1, response_format: format } = json
  if (path !== '/v1/audio/speech' || format !== 'wav') return refusal(400, 'unsupported_value')
  if (typeof input !== 'string' || typeof voice !== 'string') return refusal(400, 'missing')
  const espeak = spawn('espeak-ng', espeakArguments(voice, Number(speed)), { stdio: ['pipe', 'pipe', 'inherit'] })
  response.writeHead(200, { 'content-type': 'audio/wav' })
  espeak.stdout.on('data', hear)
  espeak.stdout.pipe(response)
  response.once('close', () => espeak.kill())
  espeak.stdin.end(input)
  return undefined
}

function espeakArguments(voice: string, speed: number): string[] {
  return ['-v', voice, '-s', String(Math.round(wordsPerMinute * speed)), '--stdin', '--stdout']
}
