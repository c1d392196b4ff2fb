import { callAuth } from '../api/auth.ts'
import { Button } from '../ui/button.tsx'

const names: Readonly<Record<string, string>> = { google: 'Google', github: 'GitHub' }

/**
 * Buttons for the configured social sign-in providers. They navigate to the provider; no third-party script runs here.
 */
export function SocialButtons({
  providers,
  callbackUrl,
  onFailure,
}: {
  readonly providers: readonly string[]
  readonly callbackUrl: string
  readonly onFailure: (error: unknown) => void
}) {
  const leave = async (provider: string) => {
    try {
      const answer = await callAuth<{ url: string }>('/sign-in/social', {
        provider,
        callbackURL: callbackUrl,
        errorCallbackURL: '/console/sign-in?notice=refused',
      })
      location.assign(answer.url)
    } catch (error) {
      onFailure(error)
    }
  }
  return providers.map((provider) => (
    <Button key={provider} onClick={() => void leave(provider)}>
      Continue with {names[provider] ?? provider}
    </Button>
  ))
}
