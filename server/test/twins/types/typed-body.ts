import type { JsonValue } from '#lib/json.ts'
import type { VendorSlug } from '#providers/registry.ts'
import type { Capability } from '../twin.ts'

/** A body that one of our codecs builds, and the type of an official SDK that it must have. */
export interface TypedBody {
  readonly provider: VendorSlug
  readonly capability: Capability
  readonly model: string
  /** What is asked for, such as `top_k` or `image_to_video 16:9`. */
  readonly wish: string
  readonly type: SdkType
  readonly body: JsonValue
}

export interface SdkType {
  readonly sdk: string
  /** What the type's name is imported by, such as `import type Groq from 'groq-sdk'`. */
  readonly imported: string
  readonly name: string
}
