import { randomInt } from 'node:crypto'

/** Twelve characters that cannot be taken for one another, with a letter and a digit. */
export function oneTimePassword(): string {
  const characters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const drawn = Array.from({ length: 10 }, () => characters[randomInt(characters.length)]).join('')
  return `${characters[randomInt(23)]}${drawn}${characters[23 + randomInt(8)]}`
}
