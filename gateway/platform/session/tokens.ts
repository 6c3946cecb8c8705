import { randomBytes } from 'node:crypto'
import { SignJWT, errors, jwtVerify } from 'jose'
import type { JWTPayload } from 'jose'
import { newId } from '../database'
import type { Database } from '../database'

const ISSUER = 'switchboard'

/** What a signed token is for; a token of one purpose is worthless for another. */
type Purpose = 'access' | 'identity' | 'newPassword' | 'file' | 'upload' | 'device'

export interface TokenSigner {
  sign(purpose: Purpose, claims: Record<string, unknown>, seconds: number): Promise<string>
  /** The claims, or why not: `expired` is a good token of the past, `invalid` everything else. */
  verify(purpose: Purpose, token: string): Promise<JWTPayload | 'expired' | 'invalid'>
}

/** Signs and checks our own tokens (HS256) with the key of the database, which all instances share. */
export async function createTokenSigner(database: Database, now: () => Date): Promise<TokenSigner> {
  const key = await loadKey(database, now())
  return {
    sign: (purpose, claims, seconds) => {
      const issuedAt = Math.floor(now().getTime() / 1000)
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setIssuer(ISSUER)
        .setAudience(purpose)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + seconds)
        .setJti(newId())
        .sign(key)
    },
    verify: async (purpose, token) => {
      if (token.length > 4096) return 'invalid'
      try {
        const options = { issuer: ISSUER, audience: purpose, algorithms: ['HS256'], currentDate: now() }
        return (await jwtVerify(token, key, options)).payload
      } catch (error) {
        return error instanceof errors.JWTExpired ? 'expired' : 'invalid'
      }
    },
  }
}

async function loadKey(database: Database, now: Date): Promise<Uint8Array> {
  const fresh = randomBytes(32).toString('base64url')
  await database.query('insert into auth_key (id, secret, created_at) values ($1, $2, $3) on conflict (id) do nothing', [
    'token',
    fresh,
    now.toISOString(),
  ])
  const { rows } = await database.query<{ secret: string }>('select secret from auth_key where id = $1', ['token'])
  const secret = rows[0]?.secret
  if (!secret) throw new Error('The key that signs tokens could neither be made nor read (table auth_key).')
  return Buffer.from(secret, 'base64url')
}
