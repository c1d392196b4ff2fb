import {
  ArrowRight,
  AudioLines,
  File,
  Film,
  Image,
  ListOrdered,
  type LucideIcon,
  Mic,
  ShieldCheck,
  Spline,
  Type,
} from 'lucide-react'

const icons: Readonly<Record<string, LucideIcon>> = {
  text: Type,
  image: Image,
  file: File,
  audio: AudioLines,
  video: Film,
  speech: AudioLines,
  transcription: Mic,
  embeddings: Spline,
  rerank: ListOrdered,
  moderation: ShieldCheck,
}

interface Modalities {
  readonly input_modalities: readonly string[]
  readonly output_modalities: readonly string[]
}

/** Input and output modalities as icons, with text for screen readers. */
export function ModalityIcons({ input_modalities: takes, output_modalities: makes }: Modalities) {
  const words = `${takes.join(', ')} to ${makes.join(', ')}`
  return (
    <span
      role="img"
      aria-label={words}
      title={words}
      className="inline-flex items-center gap-1 align-middle text-muted"
    >
      {takes.map((name) => (
        <ModalityIcon key={name} name={name} />
      ))}
      <ArrowRight size={12} aria-hidden="true" className="mx-0.5" />
      {makes.map((name) => (
        <ModalityIcon key={name} name={name} />
      ))}
    </span>
  )
}

function ModalityIcon({ name }: { readonly name: string }) {
  const Icon = icons[name] ?? File
  return <Icon size={14} aria-hidden="true" />
}
