import type { ServerResponse } from 'node:http'
import { asksForStream, fastBytes, fastStreamHeaders } from './fast-bytes.ts'
import { sendDripping } from './send-dripping.ts'
import type { FastScenario } from './scenario.ts'

/** Answers a recorded request with the prebuilt bytes of a fast scenario. */
export function answerFast(rawBody: string, response: ServerResponse, scenario: FastScenario): void {
  const { json, frames } = fastBytes(scenario)
  const { firstByteDelayMs = 0, chunkDelayMs = 0 } = scenario
  const isStream = asksForStream(rawBody)
  const send = () => {
    if (isStream) sendDripping(response.writeHead(200, fastStreamHeaders), frames, chunkDelayMs, () => response.end())
    else response.writeHead(200, { 'content-type': 'application/json', 'content-length': json.length }).end(json)
  }
  if (firstByteDelayMs === 0) send()
  else setTimeout(send, firstByteDelayMs)
}
