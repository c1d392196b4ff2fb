import type { UseFormReturn } from 'react-hook-form'
import type { OwnKey } from '../../api/own-keys.ts'
import type { components } from '../../api/schema.d.ts'
import { SelectField, TextField } from '../../ui/field.tsx'

export interface OwnKeyFieldValues {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string
  /** A protocol, or a provider as `provider:azure`. */
  readonly way: string
  readonly fallbackMode: OwnKey['fallbackMode']
}

type Provider = components['schemas']['OwnKeyProvider']

const protocols = [
  { value: 'openai', label: 'Any, with an OpenAI compatible API' },
  { value: 'anthropic', label: "Any, with Anthropic's API" },
]
const providerPrefix = 'provider:'

function chosenProvider(way: string, providers: readonly Provider[]): Provider | undefined {
  return providers.find(({ slug }) => way === `${providerPrefix}${slug}`)
}

/** The members of a request that say how the provider is called. */
export function wayFields(way: string): { provider: string } | { protocol: 'openai' | 'anthropic' } {
  if (way.startsWith(providerPrefix)) return { provider: way.slice(providerPrefix.length) }
  return { protocol: way === 'anthropic' ? 'anthropic' : 'openai' }
}

/** The value of a key in the list of ways. */
export function wayOf({ provider, protocol }: Pick<OwnKey, 'provider' | 'protocol'>): string {
  return provider === null ? (protocol ?? 'openai') : `${providerPrefix}${provider}`
}

const fallbacks = [
  { value: 'seamless', label: "Use Weir's providers" },
  { value: 'strict', label: 'Return an error' },
]

/**
 * The inputs of an own key. An existing key keeps its secret and its provider, so only a new one has inputs for them.
 */
export function OwnKeyFields({
  form: { register, formState, watch },
  isNew,
  providers,
}: {
  readonly form: UseFormReturn<OwnKeyFieldValues>
  readonly isNew: boolean
  /** The choices besides a protocol; empty if the key has a protocol and keeps one. */
  readonly providers: readonly Provider[]
}) {
  const { errors } = formState
  const way = watch('way')
  const chosen = chosenProvider(way, providers)
  const known = providers.map(({ slug, name }) => ({ value: `${providerPrefix}${slug}`, label: name }))
  const isFixed = !isNew && way.startsWith(providerPrefix)
  const needsAddress = isFixed || chosen === undefined || chosen.baseUrl === null
  return (
    <>
      <TextField
        label="Name"
        maxLength={200}
        error={errors.name?.message}
        {...register('name', { validate: (name) => name.trim() !== '' || 'Enter a name.' })}
      />
      {isFixed ? null : <SelectField label="Provider" choices={[...protocols, ...known]} {...register('way')} />}
      <TextField
        label="Base URL"
        hint={
          chosen?.baseUrl == null
            ? "The address of the provider's API, such as https://api.openai.com/v1."
            : `Leave empty for ${chosen.baseUrl}.`
        }
        className="font-mono"
        error={errors.baseUrl?.message}
        {...register('baseUrl', {
          validate: (url) => !needsAddress || url.trim() !== '' || "Enter the address of the provider's API.",
        })}
      />
      {isNew ? (
        <TextField
          label="Secret key"
          hint="Stored encrypted. You won't be able to see it again."
          type="password"
          autoComplete="off"
          className="font-mono"
          error={errors.apiKey?.message}
          {...register('apiKey', { required: 'Enter the key that the provider gave you.' })}
        />
      ) : null}
      <SelectField label="If the provider fails" choices={fallbacks} {...register('fallbackMode')} />
    </>
  )
}
