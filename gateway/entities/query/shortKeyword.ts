import { sql, type Name, type SQL } from 'drizzle-orm'
import { withoutMarks } from '../clause'

/**
 * One or two Chinese characters hold no trigram, so that an index of trigrams cannot find them. An index over the single
 * characters beyond ASCII can: the rows that have all characters of the phrase are few, and only they are read.
 */
export function charactersSql(column: SQL | Name): SQL {
  return sql`string_to_array(regexp_replace(${column}, '[ -~]+', '', 'g'), null)`
}

/** The characters of a phrase that is too short for trigrams, or null when it has letters that the index leaves out or folds. */
export function shortPhrase(phrase: string): string[] | null {
  const characters = [...withoutMarks(phrase)]
  const indexed = (character: string): boolean => character > '~' && character.toLowerCase() === character.toUpperCase()
  return characters.length > 0 && characters.length <= 2 && characters.every(indexed) ? characters : null
}
