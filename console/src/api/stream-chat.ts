import { offlineError, readRefusal } from './api-error.ts'

interface ChatCall {
  readonly key: string
  readonly model: string
  readonly prompt: string
}

/** Streams the output of a chat model. */
export async function* streamChat({ key, model, prompt }: ChatCall): AsyncGenerator<string> {
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: prompt }] }),
  }).catch(() => {
    throw offlineError()
  })
  if (!response.ok || response.body === null) throw readRefusal(response, await response.json().catch(() => null))
  let rest = ''
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const piece = pieceOf(line)
      if (piece !== '') yield piece
    }
  }
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[]
  readonly error?: { readonly message?: string }
}

function pieceOf(line: string): string {
  const data = /^data: (.*)$/.exec(line.trimEnd())?.[1]
  if (data === undefined || data === '[DONE]') return ''
  const chunk = JSON.parse(data) as Chunk
  if (chunk.error !== undefined) throw new Error(chunk.error.message ?? 'The stream was interrupted. Try again.')
  return chunk.choices?.[0]?.delta?.content ?? ''
}
