import type { BatchApi, LineOutcome, LineResult } from './batch.ts'

/** Where the line of a result is written. Only the OpenAI API has a file for errors. */
export interface ResultLine {
  readonly isError: boolean
  readonly text: string
}

/** A result as a line of JSONL. Answers are JSON on one line, and are inserted unchanged. */
export function resultLine(api: BatchApi, batchHex: string, result: LineResult): ResultLine {
  const isError = result.outcome !== 'succeeded'
  return api === 'openai'
    ? { isError, text: openAiLine(batchHex, result) }
    : { isError: false, text: messagesLine(result) }
}

function openAiLine(batchHex: string, { line, customId, outcome, answer }: LineResult): string {
  const id = JSON.stringify(`batch_req_${batchHex}${line}`)
  const head = `{"id":${id},"custom_id":${JSON.stringify(customId)}`
  if (answer === null) return `${head},"response":null,"error":${JSON.stringify(unstarted(outcome))}}\n`
  const { status, requestId, body } = answer
  return `${head},"response":{"status_code":${status},"request_id":${JSON.stringify(requestId)},"body":${body}},"error":null}\n`
}

function unstarted(outcome: LineOutcome): { code: string; message: string } {
  return outcome === 'cancelled'
    ? { code: 'batch_cancelled', message: 'This request was not run because the batch was cancelled.' }
    : {
        code: 'batch_expired',
        message: 'This request could not be executed before the completion window expired.',
      }
}

function messagesLine({ customId, outcome, answer }: LineResult): string {
  const head = `{"custom_id":${JSON.stringify(customId)},"result":`
  if (answer === null) return `${head}{"type":"${outcome === 'cancelled' ? 'canceled' : 'expired'}"}}\n`
  return outcome === 'succeeded'
    ? `${head}{"type":"succeeded","message":${answer.body}}}\n`
    : `${head}{"type":"errored","error":${answer.body}}}\n`
}
