import { silence } from '#test/simulators/media/audio/audio-bytes.ts'

/** A form with a recording and these fields; an array is sent as repeated fields. */
export function recordingForm(
  fields: Readonly<Record<string, string | readonly string[]>>,
  { bytes = silence(0.1), name = 'speech.wav' }: { bytes?: Buffer; name?: string } = {},
): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) {
    for (const each of typeof value === 'string' ? [value] : value) form.append(field, each)
  }
  form.append('file', new Blob([new Uint8Array(bytes)]), name)
  return form
}
