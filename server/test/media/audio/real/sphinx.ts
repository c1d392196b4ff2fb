import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sentForm } from '#test/simulators/media/audio/sent-form.ts'
import type { MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { sphinxModels } from './require-voices.ts'
import { runTool } from './run-tool.ts'

interface Heard {
  readonly text: string
  readonly seconds: number
}

/** The recognition mode: any English, or exactly four digits. */
type Ear = 'english' | 'digits'

const digits = `#JSGF V1.0;
grammar digits;
public <digits> = <digit> <digit> <digit> <digit>;
<digit> = zero | one | two | three | four | five | six | seven | eight | nine;
`

/** Recognizes a recording: resamples it to 16 kHz, runs the recogniser, and returns its duration. */
export async function hearRecording(bytes: Buffer, ear: Ear): Promise<Heard> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-sphinx-'))
  const at = (name: string): string => join(folder, name)
  try {
    await writeFile(at('sent.wav'), bytes)
    await writeFile(at('digits.gram'), digits)
    await writeFile(at('names'), 'heard\n')
    // A header written before the samples states a wrong length; dither would add different noise each time.
    await runTool('sox', [
      '-q',
      '-D',
      '--ignore-length',
      at('sent.wav'),
      '-r',
      '16000',
      '-b',
      '16',
      '-c',
      '1',
      at('heard.wav'),
    ])
    const grammar = ear === 'digits' ? ['-jsgf', at('digits.gram')] : ['-lm', join(sphinxModels, 'en-us.lm.bin')]
    const models = ['-hmm', join(sphinxModels, 'en-us'), '-dict', join(sphinxModels, 'cmudict-en-us.dict')]
    const sound = ['-adcin', 'yes', '-adchdr', '44', '-remove_noise', 'no', '-cepdir', folder, '-cepext', '.wav']
    const files = ['-ctl', at('names'), '-hyp', at('text')]
    await runTool('pocketsphinx_batch', [...models, ...grammar, ...sound, ...files])
    const line = await readFile(at('text'), 'utf8')
    const seconds = Number((await runTool('soxi', ['-D', at('heard.wav')])).toString())
    return { text: line.replace(/\s*\(heard [^)]*\)\s*$/, ''), seconds }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The same as an upstream in OpenAI's format. */
export const sphinxUpstream: MediaHandler = async (call) => {
  const { fields, file } = await sentForm(call)
  if (file === null) return { status: 400, body: { error: { message: 'no file' } } }
  const ear = fields['model']?.[0] === 'digits' ? 'digits' : 'english'
  const heard = await hearRecording(file.bytes, ear).catch(() => null)
  if (heard === null) return { status: 400, body: { error: { message: 'The recording could not be decoded.' } } }
  const { text, seconds } = heard
  return { body: { text, duration: seconds, usage: { type: 'duration', seconds } } }
}
