import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { callModel } from '../../api/call-model.ts'
import type { InferenceCall } from '../../api/inference-call.ts'
import { readEvents } from '../../api/read-events.ts'
import { addChunk, type Answer, emptyAnswer } from './answer.ts'
import type { Turn } from './chat-request.ts'
import { namePlaces } from './name-places.ts'

interface Ask {
  readonly prompt: string
  readonly image: string | null
  readonly calls: Readonly<Record<string, InferenceCall>>
}

/** The turns of a conversation with several models, and functions to start and stop them. */
export function useChat(organization: string | null) {
  const [turns, setTurns] = useState<readonly Turn[]>([])
  const [controller, setController] = useState<AbortController | null>(null)
  const nextId = useRef(1)
  useEffect(() => () => controller?.abort(), [controller])

  const ask = async ({ prompt, image, calls }: Ask) => {
    const id = nextId.current
    nextId.current += 1
    const running = new AbortController()
    setController(running)
    const models = Object.keys(calls)
    setTurns((old) => [
      ...old,
      { id, prompt, image, answers: Object.fromEntries(models.map((model) => [model, emptyAnswer])) },
    ])
    const show = (model: string, answer: Answer) =>
      setTurns((old) => old.map((turn) => withAnswer(turn, id, model, answer)))
    await Promise.all(
      Object.entries(calls).map(([model, call]) =>
        streamAnswer(call, { organization, signal: running.signal }, (answer) => show(model, answer)),
      ),
    )
    setController((current) => (current === running ? null : current))
  }
  return {
    turns,
    isRunning: controller !== null,
    ask,
    stop: () => controller?.abort(),
    clear: () => setTurns([]),
  }
}

function withAnswer(turn: Turn, id: number, model: string, answer: Answer): Turn {
  return turn.id === id ? { ...turn, answers: { ...turn.answers, [model]: answer } } : turn
}

interface Terms {
  readonly organization: string | null
  readonly signal: AbortSignal
}

/** Streams one response and shows each step. It never throws: an error ends the response as failed. */
async function streamAnswer(call: InferenceCall, terms: Terms, show: (answer: Answer) => void): Promise<void> {
  const startedMs = performance.now()
  const elapsed = () => performance.now() - startedMs
  let answer: Answer = emptyAnswer
  try {
    const response = await callModel(call, terms)
    const requestId = response.headers.get('x-request-id')
    answer = { ...answer, generationId: response.headers.get('x-generation-id') }
    let isWhole = false
    for await (const data of readEvents(bodyOf(response))) {
      if (data === '[DONE]') isWhole = true
      else answer = addChunk(answer, data, elapsed(), requestId)
      show(answer)
    }
    if (!isWhole) throw brokenOff(requestId)
    show({ ...answer, state: 'done', totalMs: elapsed() })
  } catch (error) {
    const isStopped = terms.signal.aborted
    show({
      ...answer,
      state: isStopped ? 'stopped' : 'failed',
      totalMs: elapsed(),
      error: isStopped ? null : readable(error),
    })
  }
}

function bodyOf({ body }: Response): ReadableStream<Uint8Array> {
  if (body === null) throw new Error('The response was empty. Try again.')
  return body
}

function brokenOff(requestId: string | null): ApiError {
  return new ApiError({
    status: 200,
    code: 'stream_ended',
    message: 'The connection closed before the response finished. Check Requests for a charge before you try again.',
    requestId,
  })
}

// The browser reports a reset connection as a TypeError with an unhelpful message.
function readable(error: unknown): unknown {
  return error instanceof TypeError ? brokenOff(null) : namePlaces(error)
}
