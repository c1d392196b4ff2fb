import { isJsonObject } from '#lib/json.ts'
import type { MediaAnswer, MediaCall, MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { madeAddress, playMade } from './made.ts'

interface DashscopeScript {
  readonly refuse?: (call: MediaCall) => MediaAnswer | undefined
}

/** DashScope's native API: one exchange with the URL of each image in a message. */
export function playDashscope({ refuse }: DashscopeScript = {}): MediaHandler {
  return (call) => {
    const other = playMade(call) ?? refuse?.(call)
    if (other !== undefined) return other
    const parameters = isJsonObject(call.json['parameters']) ? call.json['parameters'] : {}
    const count = typeof parameters['n'] === 'number' ? parameters['n'] : 1
    const content = Array.from({ length: count }, (_, index) => ({ image: madeAddress(call, `qwen-${index}`) }))
    return {
      body: {
        output: { choices: [{ finish_reason: 'stop', message: { role: 'assistant', content } }], task_metric: {} },
        usage: { image_count: count, height: 32, width: 64 },
        request_id: 'd0250a3d-b07f-49e1-bdc8-6793f4929xxx',
      },
    }
  }
}

export function dashscopeError(status: number, code: string, message: string): MediaAnswer {
  return { status, body: { code, message, request_id: 'd0250a3d-b07f-49e1-bdc8-6793f4929xxx' } }
}
