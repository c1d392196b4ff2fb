/** Where clients of OpenRouter find its shapes: `https://openrouter.ai/api/v1` becomes `…/openrouter/v1`. */
export const openRouterPrefix = '/openrouter'
