// Speaks a sentence, then has the recording transcribed.
import { toFile } from 'openai'
import { weir } from './weir.mjs'

const spoken = await weir.audio.speech.create({
  model: 'test/speech',
  voice: 'tone',
  input: 'The weir is open',
  response_format: 'wav',
})
const recording = Buffer.from(await spoken.arrayBuffer())
console.log(`${recording.subarray(0, 4)}, ${recording.length > 44 ? 'with sound' : 'silent'}`)

const heard = await weir.audio.transcriptions.create({
  model: 'test/transcription',
  file: await toFile(recording, 'weir.wav'),
  // The test model hears what it is told to expect.
  prompt: 'The weir is open',
})
console.log(heard.text)

// Prints:
// RIFF, with sound
// The weir is open
