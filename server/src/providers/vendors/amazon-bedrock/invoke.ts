import type { MediaJson } from '#domain/media/media-json.ts'
import { countAt, type JsonObject } from '#lib/json.ts'
import type { Exchange, MediaRequest } from '#providers/codecs/exchange-script.ts'
import { jsonRequest } from '#providers/codecs/media-request.ts'
import type { MediaTarget } from '#providers/codecs/target.ts'
import { headerOf } from '#providers/protocols/openai/failure/retry-after.ts'

/** InvokeModel passes the body to the model unchanged: each maker has its own format. */
export function invokeRequest(target: MediaTarget, body: MediaJson): MediaRequest {
  return jsonRequest(target, `/model/${encodeURIComponent(target.upstreamModel)}/invoke`, body)
}

/** The input tokens: some models report them, and Bedrock reports them in a header. */
export function tokensRead(answer: JsonObject, { headers }: Exchange): number | undefined {
  const header = headerOf(headers, 'x-amzn-bedrock-input-token-count')
  return (
    countAt(answer, 'inputTextTokenCount') ??
    (header === undefined ? undefined : countAt({ header: Number(header) }, 'header'))
  )
}
