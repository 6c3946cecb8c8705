import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** An unguessable value for links and tokens: 32 random bytes. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Secrets are stored as this, so that a copy of the database opens nothing. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}

/** Compares without telling by the time how much was right. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest())
}
