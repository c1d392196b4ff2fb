import { describe, expect, it } from 'vitest'
import type { Heard } from './clients/client.ts'
import { clients } from './clients/clients.ts'
import { hearRecording, readAnswer } from './read-answer.ts'
import { recordedStreams, richStreams } from './recorded-streams.ts'

const streams = [...richStreams(), ...recordedStreams().filter(({ name }) => name.endsWith(': text'))]

describe('a stream that closes too early, at any byte', () => {
  it.each(streams)('[STREAM-09] [RESP-28] [MSG-17] $name never passes for a whole answer', (recording) => {
    const { bytes } = recording
    for (const client of clients) {
      const { text, calls, finish } = hearRecording(recording, client)
      // Most bytes do not end an event. The client's output is then unchanged, and so is its view.
      const known = new Map<string, Heard>()
      let failures = 0
      for (let length = 0; length < bytes.length; length += 1) {
        const pieces = [bytes.subarray(0, length)]
        const read = readAnswer(recording, client.dialect, { stream: true, pieces })
        const heard =
          known.get(read.text) ?? client.hear({ status: 200, headers: new Headers(), text: read.text, isStream: true })
        known.set(read.text, heard)
        // Only data after the finish reason, usage and end markers may be missing.
        if (read.answer !== null) expect(heard).toMatchObject({ text, calls, finish, error: null })
        else {
          failures += 1
          if (heard.error === null) expect.fail(`${client.dialect}, ${length} bytes: ${read.text}`)
        }
      }
      expect(failures).toBeGreaterThan(bytes.length / 3)
    }
  })
})
